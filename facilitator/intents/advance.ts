import { type IntentPayload, intentPayload } from '../../protocol/payments/intents.ts'
import { type Call, confirmed, type Decision, type Ending, failed, refused, wait } from '../context/decision.ts'
import type { OpenIntent, StoredTransaction } from '../context/records.ts'
import type { Pass } from '../evidence/pass.ts'
import { simulate } from '../evidence/simulate.ts'
import { readTransactionOutcome } from '../evidence/transactionOutcome.ts'
import { decideDeposit } from './deposit.ts'
import { decideFund } from './fund.ts'
import { decideAdopt } from './internal/adopt.ts'
import { decidePayout } from './internal/payout.ts'
import { decideRelease } from './internal/release.ts'
import { decideReturnStray } from './internal/returnStray.ts'
import { decideSight } from './internal/sight.ts'
import { decideSightWallet } from './internal/sightWallet.ts'
import { isAnnouncement } from './internal/strays.ts'
import { decideSweep } from './internal/sweep.ts'

/** How many transactions may revert after a successful simulation before an intent is given up. */
const MAX_REVERTS = 3
/** The same across all attempts to pay one order: a payer can make each revert, at our cost. */
const MAX_REVERTS_AN_ORDER = 2
/** All payments that name no owner are charged to one. */
const NOBODY = '00000000-0000-0000-0000-000000000000'
/** A call with less time left is not sent: it would be mined too late, at our cost. */
const LEAST_SECONDS_LEFT = 6n

/**
 * The state of an intent after a step. All but the first are processed again; `waiting` carries a reason
 * worth logging.
 */
export type Standing =
  | { kind: 'ended' }
  | { kind: 'sent'; transactions: readonly StoredTransaction[] }
  | { kind: 'full' }
  | { kind: 'waiting'; reason: string; until: bigint | undefined }

const feesTooHigh = { kind: 'waiting', reason: 'fee_limit', until: undefined } as const satisfies Standing

/**
 * Advances one intent by one step. Progress is read from our file and the chain each time, so a step of an
 * earlier process counts the same as our own. Throws any error of the RPC or the database: then nothing is
 * known, and nothing is decided.
 */
export async function advance(pass: Pass, intent: OpenIntent): Promise<Standing> {
  const parsed = intentPayload.safeParse(intent.payload)
  if (!parsed.success) return end(pass, intent, refused('payload_invalid'))
  const { announcements, others } = Object.groupBy(intent.transactions, (transaction) =>
    isAnnouncement(transaction) ? 'announcements' : 'others',
  )
  const [announced, fate] = [
    await readTransactionOutcome(pass, announcements ?? []),
    await readTransactionOutcome(pass, others ?? []),
  ]
  if (fate.kind === 'confirmed') return end(pass, intent, confirmed(fate.hash))
  const pending = [announced, fate].flatMap((one) => (one.kind === 'pending' ? one.transactions : []))
  if (fate.kind === 'pending' || announced.kind === 'pending') return { kind: 'sent', transactions: pending }
  const wasAnnounced = announced.kind === 'confirmed'
  const decision = await decide(pass, parsed.data, wasAnnounced)
  if (decision.kind !== 'send') return end(pass, intent, decision)
  const reverts = fate.reverts + (wasAnnounced ? 0 : announced.reverts)
  if (await isHopeless(pass, intent, parsed.data, reverts)) {
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
  const former = await readTransactionOutcome(pass, intent.formerTransactions)
  return ownReverts + (former.kind === 'gone' ? former.reverts : 0) >= MAX_REVERTS_AN_ORDER
}

function decide(pass: Pass, payload: IntentPayload, wasAnnounced: boolean): Promise<Decision> {
  switch (payload.kind) {
    case 'fund':
      return decideFund(pass, payload)
    case 'deposit':
      return decideDeposit(pass, payload)
    case 'adopt':
      return decideAdopt(pass, payload, wasAnnounced)
    case 'release':
      return decideRelease(pass, payload)
    case 'payout':
      return decidePayout(pass, payload)
    case 'return_stray':
      return decideReturnStray(pass, payload, wasAnnounced)
    case 'sweep':
      return decideSweep(pass, payload)
    case 'sight':
      return decideSight(pass, payload)
    case 'sight_wallet':
      return decideSightWallet(pass, payload)
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
  if (!call.isCharged) return send(pass, intent, { call, gas, ownerId: null, chargedWei: 0n })
  const ownerId = intent.ownerId ?? NOBODY
  const fees = await pass.feeQuote(pass.head)
  if (!fees) return feesTooHigh
  const chargedWei = gas * fees.maxFeePerGas
  const sent = await pass.budget.within(ownerId, chargedWei, () =>
    send(pass, intent, { call, gas, ownerId, chargedWei }),
  )
  return sent ?? end(pass, intent, refused('gas_budget'))
}

async function send(
  pass: Pass,
  intent: OpenIntent,
  { call, gas, ownerId, chargedWei }: { call: Call; gas: bigint; ownerId: string | null; chargedWei: bigint },
): Promise<Standing> {
  // The signer that had room before may have none now.
  const signer = pass.signers.pick(call.signer)
  if (!signer) return { kind: 'full' }
  const { to, data, validBefore } = call
  const purpose = { intentId: intent.id, ownerId, chargedWei }
  const sent = await signer.send({ to, data, gas, validBefore }, purpose, pass.head)
  if (!sent) return feesTooHigh
  pass.log.info({ intent: intent.id, hash: sent.hash }, 'sent')
  return { kind: 'sent', transactions: [sent] }
}

async function end(pass: Pass, intent: OpenIntent, decision: Ending): Promise<Standing> {
  if (decision.kind === 'wait') return { kind: 'waiting', reason: decision.reason, until: decision.until }
  await pass.recordOutcome({ intentId: intent.id, outcome: decision.outcome })
  pass.log.info({ intent: intent.id, ...decision.outcome }, 'ended')
  return { kind: 'ended' }
}
