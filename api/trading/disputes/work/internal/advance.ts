import { sql } from 'kysely'
import type { MarketRules, Settings } from '../../../../context.ts'
import { feesOf } from '../../../../payments/appealFees/find.ts'
import { readClock } from '../../../../platform/db/clock.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import { emit } from '../../../../platform/events/emit.ts'
import { hasPendingChecks } from '../../../criteria/request.ts'
import type { OrderRow } from '../../../orders/record/find.ts'
import { reminderAt } from '../../../terms/limits.ts'
import { assignReviewers, endAssignments } from '../../assignment/assign.ts'
import { CLEARED } from '../../assignment/clear.ts'
import { freezeRecord, readRecord } from '../../facts/record.ts'
import { DELAY_CONTESTED, type Decision, decideByDefault, decideByRules, RULES_VERSION } from '../../facts/rules.ts'
import { type DisputeRow, lockDisputeRow } from '../../record/find.ts'
import { disputeEvents } from '../../record/module.ts'
import { disputePayload, partiesOf, transition } from '../../record/transition.ts'
import { latestVerdict } from '../../record/verdicts.ts'
import { flaggedSides } from '../../screener/screen.ts'
import { end } from '../end.ts'
import { type Ruling, signVerdict } from '../sign.ts'

/**
 * Ends the state of a dispute whose deadline has come: closes the evidence, escalates an undecided dispute,
 * gives a verdict in place of a human's, or executes a verdict without an appeal. Returns false, changing
 * nothing, for one that is not due, while a delivery is being checked or the fee of an appeal may still be
 * paid, and while the payment is gone from the chain.
 */
export async function advanceDispute(tx: Tx, settings: Settings, disputeId: string): Promise<boolean> {
  const locked = await lockDisputeRow(tx, disputeId)
  if (!locked || locked.order.suspended_at !== null) return false
  const { order, dispute } = locked
  if ((await feesOf(tx, disputeId)).some(({ state }) => state === 'offered')) return false
  if (dispute.due_at === null || dispute.due_at > (await readClock(tx))) return false
  switch (dispute.state) {
    case 'open':
      if (await hasPendingChecks(tx, order.id)) return false
      await closeEvidence(tx, settings.rules, locked)
      return true
    case 'pre_review':
      await transition(tx, dispute.id, 'arbitrate', { due_at: dueIn(settings.rules.arbitrationSeconds) })
      await endAssignments(tx, dispute.id)
      return true
    case 'arbitrating':
      await escalate(tx, settings.rules, locked, 'not_decided_in_time')
      return true
    case 'in_review':
      await decideUnreviewed(tx, settings, locked)
      return true
    case 'decided':
      await executeVerdict(tx, settings, locked)
      return true
    default:
      return false
  }
}

/**
 * Has the rules decide a dispute whose evidence is closed. A dispute that the facts do not decide goes to the
 * model, if there is one, no text is suspect and no delay is contested, else to a human. Returns false,
 * changing nothing, for a dispute in another state, and while the payment is gone from the chain.
 */
export async function arbitrate(tx: Tx, settings: Settings, disputeId: string): Promise<boolean> {
  const locked = await lockDisputeRow(tx, disputeId)
  if (locked?.dispute.state !== 'arbitrating' || locked.order.suspended_at !== null) return false
  const { facts } = await readRecord(tx, disputeId)
  const decision = decideByRules(facts)
  if (decision.kind === 'decided') await decide(tx, settings, locked, { ...decision, ...BY_RULES })
  else if (settings.model && decision.reason !== DELAY_CONTESTED && mayBeRead(locked.dispute))
    await putBeforeModel(tx, disputeId)
  else await escalate(tx, settings.rules, locked, decision.reason)
  return true
}

/** The reason codes of a dispute in which a side's text is suspect begin so. */
const SUSPECT = 'suspect_text'

const BY_RULES = { kind: 'rules', promptVersion: RULES_VERSION } as const

/** Returns whether a model may read the texts: nobody's is suspect, or a reviewer has cleared it. */
function mayBeRead({ flags }: DisputeRow): boolean {
  return flags.includes(CLEARED) || !flags.some((flag) => flag.startsWith(SUSPECT))
}

async function putBeforeModel(tx: Tx, disputeId: string): Promise<void> {
  await tx.insertInto('market.arbitrations').values({ dispute_id: disputeId, result: null }).execute()
}

/**
 * Applies the outcome of asking a model: its decision, or escalation to a human. Returns false, changing
 * nothing, if the dispute no longer waits for it: the parties have agreed meanwhile, or its time ended.
 */
export async function concludeModel(
  tx: Tx,
  settings: Settings,
  disputeId: string,
  decision: Decision & { promptVersion: string },
): Promise<boolean> {
  const locked = await lockDisputeRow(tx, disputeId)
  if (locked?.dispute.state !== 'arbitrating' || locked.order.suspended_at !== null) return false
  if (decision.kind === 'escalated') await escalate(tx, settings.rules, locked, decision.reason)
  else await decide(tx, settings, locked, { ...decision, kind: 'model' })
  return true
}

interface Locked {
  order: OrderRow
  dispute: DisputeRow
}

async function decide(tx: Tx, settings: Settings, { order, dispute }: Locked, ruling: Ruling): Promise<void> {
  const decided = await transition(tx, dispute.id, 'decide', {
    due_at: dueIn(settings.rules.appealWindowSeconds),
    remind_at: reminderAt(settings.rules.appealWindowSeconds),
  })
  await signVerdict(tx, settings, { order, dispute: decided }, ruling)
}

/** Freezes the evidence. If a text seems to be written to steer the judge, a human reviews it first. */
async function closeEvidence(tx: Tx, rules: MarketRules, { order, dispute }: Locked): Promise<void> {
  const suspects = flaggedSides(await freezeRecord(tx, order, dispute))
  if (suspects.length === 0) {
    await transition(tx, dispute.id, 'arbitrate', { due_at: dueIn(rules.arbitrationSeconds) })
    return
  }
  const flagged = await transition(tx, dispute.id, 'flag', {
    due_at: dueIn(rules.preReviewSeconds),
    flags: sql`flags || ${suspects.map((side) => `${SUSPECT}_${side}`)}::text[]`,
    reviewers: order.price_micros > rules.twoReviewersMicros ? 2 : 1,
  })
  await assignReviewers(tx, rules, order, flagged)
  await announceFlags(tx, order, flagged)
}

async function announceFlags(tx: Tx, order: OrderRow, dispute: DisputeRow): Promise<void> {
  const payload = { ...disputePayload(order, dispute), reasons: dispute.flags }
  await emit(tx, disputeEvents['dispute.flagged_for_human'], { payload, visibleTo: partiesOf(order) })
}

async function escalate(tx: Tx, rules: MarketRules, { order, dispute }: Locked, reason: string): Promise<void> {
  const escalated = await transition(tx, dispute.id, 'escalate', {
    due_at: dueIn(rules.humanReviewSeconds),
    flags: sql`array_append(flags, ${reason})`,
    reviewers: order.price_micros > rules.twoReviewersMicros ? 2 : 1,
  })
  await assignReviewers(tx, rules, order, escalated)
  await announceFlags(tx, order, escalated)
}

/** No human decided in time: the automated verdict becomes final; without one, the facts decide. */
async function decideUnreviewed(tx: Tx, settings: Settings, locked: Locked): Promise<void> {
  const standing = await latestVerdict(tx, locked.dispute.id)
  if (standing) {
    await end(tx, settings, locked, { transition: 'review', outcome: 'verdict', refundMicros: standing.payer_micros })
    return
  }
  const { facts } = await readRecord(tx, locked.dispute.id)
  const decision = decideByDefault(facts)
  await signVerdict(tx, settings, locked, { ...decision, kind: 'fallback', promptVersion: RULES_VERSION })
  await end(tx, settings, locked, { transition: 'review', outcome: 'verdict', refundMicros: decision.refundMicros })
}

async function executeVerdict(tx: Tx, settings: Settings, locked: Locked): Promise<void> {
  const verdict = await latestVerdict(tx, locked.dispute.id)
  if (!verdict) throw new Error(`dispute ${locked.dispute.id} is decided and has no verdict`)
  await end(tx, settings, locked, { transition: 'execute', outcome: 'verdict', refundMicros: verdict.payer_micros })
}

function dueIn(seconds: number) {
  return sql<Date>`market.now() + make_interval(secs => ${seconds})`
}
