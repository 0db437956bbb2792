import { type IntentPayload, intentPayload } from '../protocol/intents.ts'
import type { Call, Pass } from './context.ts'
import { confirmed, type Decision, type Ending, failed, refused, wait } from './decision.ts'
import { fateOf } from './fate.ts'
import { decideAdopt } from './intents/adopt.ts'
import { decideDeposit } from './intents/deposit.ts'
import { decideFund } from './intents/fund.ts'
import { decidePayout } from './intents/payout.ts'
import { decideRelease } from './intents/release.ts'
import { decideReturnStray } from './intents/returnStray.ts'
import { decideSweep } from './intents/sweep.ts'
import { simulate } from './simulate.ts'
import type { OpenIntent, StoredTransaction } from './store.ts'

/** Transactions that passed the simulation and reverted nevertheless, after which an intent is given up. */
const MAX_REVERTS = 3
/** The same for all attempts to pay one order: a payer can have each of them revert, at our cost. */
const MAX_REVERTS_AN_ORDER = 2
/** What has less time left is not sent: it would be mined too late, at our cost. */
const LEAST_SECONDS_LEFT = 6n

/** Where an intent stands after a step. All but the first are looked at again; `waiting` for a reason worth knowing. */
export type Standing =
  | { kind: 'ended' }
  | { kind: 'sent'; transactions: readonly StoredTransaction[] }
  | { kind: 'full' }
  | { kind: 'waiting'; reason: string }

/**
 * Takes one intent one step further. What has been done is read from our file and the chain each time, so it makes no
 * difference whether the step before was ours or that of a process that is gone. Throws what the RPC or the database
 * throws: then nothing is known, and nothing is decided.
 */
export async function advance(pass: Pass, intent: OpenIntent): Promise<Standing> {
  const parsed = intentPayload.safeParse(intent.payload)
  if (!parsed.success) return end(pass, intent, refused('payload_invalid'))
  const fate = await fateOf(pass, intent.transactions)
  if (fate.kind === 'pending') return { kind: 'sent', transactions: fate.transactions }
  if (fate.kind === 'confirmed') return end(pass, intent, confirmed(fate.hash))
  const decision = await decide(pass, parsed.data)
  if (decision.kind !== 'send') return end(pass, intent, decision)
  if (await isHopeless(pass, intent, parsed.data, fate.reverts)) {
    return end(pass, intent, (await decision.call.explain?.()) ?? failed('reverted_repeatedly'))
  }
  return submit(pass, intent, decision.call)
}

async function isHopeless(
  pass: Pass,
  intent: OpenIntent,
  { kind }: IntentPayload,
  ownReverts: number,
): Promise<boolean> {
  if (kind !== 'fund' && kind !== 'deposit') return ownReverts >= MAX_REVERTS
  const former = await fateOf(pass, intent.formerTransactions)
  return ownReverts + (former.kind === 'gone' ? former.reverts : 0) >= MAX_REVERTS_AN_ORDER
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
    case 'sweep':
      return decideSweep(pass, payload)
  }
}

async function submit(pass: Pass, intent: OpenIntent, call: Call): Promise<Standing> {
  const signer = pass.signers.pick(call.signer)
  if (!signer) return { kind: 'full' }
  const gas = await simulate(pass, call, signer.address)
  if (typeof gas !== 'bigint') return end(pass, intent, gas)
  if (call.validBefore !== null && call.validBefore - pass.head.latest.timestamp < LEAST_SECONDS_LEFT) {
    return end(pass, intent, wait('authorization_expiring'))
  }
  if (!call.isCharged || intent.ownerId === null) return send(pass, intent, { call, gas, ownerId: null })
  const { ownerId } = intent
  const sent = await pass.budget.within(ownerId, gas, () => send(pass, intent, { call, gas, ownerId }))
  return sent ?? end(pass, intent, refused('gas_budget'))
}

async function send(
  pass: Pass,
  intent: OpenIntent,
  { call, gas, ownerId }: { call: Call; gas: bigint; ownerId: string | null },
): Promise<Standing> {
  // The one with room a while ago may have none by now.
  const signer = pass.signers.pick(call.signer)
  if (!signer) return { kind: 'full' }
  const { to, data, validBefore } = call
  const purpose = { intentId: intent.id, ownerId, chargedGas: ownerId === null ? 0n : gas }
  const sent = await signer.send({ to, data, gas, validBefore }, purpose, pass.head)
  if (!sent) return { kind: 'waiting', reason: 'fee_limit' }
  pass.log.info({ intent: intent.id, hash: sent.hash }, 'sent')
  return { kind: 'sent', transactions: [sent] }
}

async function end(pass: Pass, intent: OpenIntent, decision: Ending): Promise<Standing> {
  if (decision.kind === 'wait') return { kind: 'waiting', reason: decision.reason }
  await pass.recordOutcome({ intentId: intent.id, outcome: decision.outcome })
  pass.log.info({ intent: intent.id, ...decision.outcome }, 'ended')
  return { kind: 'ended' }
}
