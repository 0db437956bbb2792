import { type IntentPayload, intentPayload } from '../protocol/intents.ts'
import type { Call, Pass } from './context.ts'
import { confirmed, type Decision, type Ending, failed, refused, wait } from './decision.ts'
import { type Fate, fateOf } from './fate.ts'
import { decideAdopt } from './intents/adopt.ts'
import { decideDeposit } from './intents/deposit.ts'
import { decideFund } from './intents/fund.ts'
import { decidePayout } from './intents/payout.ts'
import { decideRelease } from './intents/release.ts'
import { decideReturnStray } from './intents/returnStray.ts'
import { revertReason } from './reasons.ts'
import { simulate } from './simulate.ts'
import type { OpenIntent } from './store.ts'

/** Transactions that passed the simulation and reverted nevertheless, after which an intent is given up. */
const MAX_REVERTS = 3
/** Gas on top of the estimate, in percent: other transactions may be mined before. */
const GAS_ROOM_PERCENT = 25n

/** Where an intent stands after a step. Both are looked at again; `waiting` for a reason worth knowing. */
export type Standing = { kind: 'ended' } | { kind: 'sent' } | { kind: 'waiting'; reason: string }

/**
 * Takes one intent one step further. What has been done is read from our file and the chain each time, so it makes no
 * difference whether the step before was ours or that of a process that is gone. Throws what the RPC or the database
 * throws: then nothing is known, and nothing is decided.
 */
export async function advance(pass: Pass, intent: OpenIntent): Promise<Standing> {
  const parsed = intentPayload.safeParse(intent.payload)
  if (!parsed.success) return end(pass, intent, refused('payload_invalid'))
  const fate = await fateOf(pass, await pass.store.transactionsOf(intent.id))
  if (fate.kind === 'pending') return { kind: 'sent' }
  const decision = await decideAfter(fate, () => decide(pass, parsed.data))
  return decision.kind === 'send' ? submit(pass, intent, decision.call) : end(pass, intent, decision)
}

async function decideAfter(
  fate: Exclude<Fate, { kind: 'pending' }>,
  decideAnew: () => Promise<Decision>,
): Promise<Decision> {
  if (fate.kind === 'confirmed') return confirmed(fate.hash)
  const decision = await decideAnew()
  return decision.kind === 'send' && fate.reverts >= MAX_REVERTS ? failed('reverted_repeatedly') : decision
}

function decide(pass: Pass, payload: IntentPayload): Promise<Decision> {
  switch (payload.kind) {
    case 'fund':
      return decideFund(pass, payload)
    case 'deposit':
      return decideDeposit(pass, payload)
    case 'adopt':
      return decideAdopt(pass, payload)
    case 'release':
      return decideRelease(pass, payload)
    case 'payout':
      return decidePayout(pass, payload)
    case 'return_stray':
      return decideReturnStray(pass, payload)
  }
}

async function submit(pass: Pass, intent: OpenIntent, call: Call): Promise<Standing> {
  const signer = pass.signers[call.signer]
  const gas = (await simulate(pass, call, signer.address)) ?? (await gasFor(pass, call))
  if (typeof gas !== 'bigint') return end(pass, intent, gas)
  const hash = await signer.send(intent.id, { to: call.to, data: call.data, gas }, pass.head)
  if (!hash) return { kind: 'waiting', reason: 'fee_limit' }
  pass.log.info({ intent: intent.id, hash }, 'sent')
  return { kind: 'sent' }
}

/** The gas to send a call with, or why it is not sent. */
async function gasFor({ client, limits, signers }: Pass, { signer, to, data }: Call): Promise<bigint | Ending> {
  try {
    const estimate = await client.estimateGas({ account: signers[signer].address, to, data })
    const gas = (estimate * (100n + GAS_ROOM_PERCENT)) / 100n
    return gas <= limits.maxGas ? gas : refused('gas_limit')
  } catch (error) {
    const reason = revertReason(error)
    if (reason) return wait(reason)
    throw error
  }
}

async function end(pass: Pass, intent: OpenIntent, decision: Ending): Promise<Standing> {
  if (decision.kind === 'wait') return { kind: 'waiting', reason: decision.reason }
  await pass.store.recordOutcome(intent.id, decision.outcome)
  pass.log.info({ intent: intent.id, ...decision.outcome }, 'ended')
  return { kind: 'ended' }
}
