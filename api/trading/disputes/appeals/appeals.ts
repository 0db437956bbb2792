import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import type { AppealFeePaid } from '../../../payments/appealFees/announcements.ts'
import { keepAppealFee, lapseAppealFee, returnAppealFee } from '../../../payments/appealFees/decide.ts'
import { type AppealFeeRow, feesOf } from '../../../payments/appealFees/find.ts'
import { expireAuthorization } from '../../../payments/escrow/authorizations.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { DisputeOutcome } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import type { OrderRow } from '../../orders/record/find.ts'
import { assignReviewers } from '../assignment/assign.ts'
import { type DisputeRow, lockDisputeRow } from '../record/find.ts'
import { appealEvents } from '../record/module.ts'
import { disputePayload, partiesOf, transition } from '../record/transition.ts'
import { verdictsOf } from '../record/verdicts.ts'

/** The reason code of a dispute that a human decides because a party appealed. */
const APPEALED = 'appealed'

/** An order and its dispute, both locked. */
interface Locked {
  order: OrderRow
  dispute: DisputeRow
}

/** The fee of an appeal is paid: a human is to decide, and the other side's unpaid appeal lapses. */
export async function openAppeal(
  tx: Tx,
  { rules }: Pick<Settings, 'rules'>,
  { order, disputeId, party }: AppealFeePaid,
): Promise<void> {
  const dispute = await transition(tx, disputeId, 'appeal', {
    due_at: sql<Date>`market.now() + make_interval(secs => ${rules.humanReviewSeconds})`,
    appeal_heard_until: sql<Date>`market.now() + make_interval(secs => ${rules.appealHearingSeconds})`,
    flags: sql`array_append(flags, ${APPEALED})`,
    reviewers: order.price_micros > rules.twoReviewersMicros ? 2 : 1,
  })
  for (const fee of await feesOf(tx, disputeId)) {
    if (fee.party === party) await announceAppeal(tx, { order, dispute }, fee, 'appeal.opened')
    else if (fee.state === 'offered') await lapse(tx, { order, dispute }, fee)
  }
  await assignReviewers(tx, rules, order, dispute)
}

/**
 * Ends the appeals of a dispute whose hold is distributed: an unpaid appeal lapses, and the fee of a paid one
 * is kept or returned. It goes back if the appellant gets more than by the automated verdict, if no human
 * decided in time, or if the dispute ended another way before a reviewer was assigned.
 */
export async function endAppeals(
  tx: Tx,
  settings: Pick<Settings, 'chain'>,
  locked: Locked,
  ending: { outcome: DisputeOutcome; refundMicros: bigint },
): Promise<void> {
  for (const fee of await feesOf(tx, locked.dispute.id)) {
    if (fee.state === 'offered') await lapse(tx, locked, fee)
    else if (fee.state !== 'held') continue
    else if (await goesBack(tx, fee, ending)) await returnAppealFee(tx, settings, fee)
    else await keepAppealFee(tx, settings, fee)
  }
}

async function goesBack(
  tx: Tx,
  { dispute_id: disputeId, party }: AppealFeeRow,
  { outcome, refundMicros }: { outcome: DisputeOutcome; refundMicros: bigint },
): Promise<boolean> {
  const verdicts = await verdictsOf(tx, disputeId)
  const [automated, latest] = [verdicts[0], verdicts.at(-1)]
  if (!automated || !latest) throw new Error(`dispute ${disputeId} was appealed and has no verdict`)
  const gainMicros = refundMicros - automated.payer_micros
  if (party === 'buyer' ? gainMicros > 0n : gainMicros < 0n) return true
  if (latest.kind === 'human') return false
  return outcome === 'verdict' || !(await hasReviewer(tx, disputeId))
}

async function hasReviewer(tx: Tx, disputeId: string): Promise<boolean> {
  const review = tx
    .selectFrom('market.reviews')
    .select('id')
    .where('dispute_id', '=', disputeId)
    .where('ended_at', 'is', null)
  return (await review.executeTakeFirst()) !== undefined
}

/**
 * Lets an appeal lapse that was not paid in time; the verdict is then executed at its own deadline. Returns
 * false, changing nothing, if the appeal no longer awaits its fee.
 */
export async function lapseAppeal(
  tx: Tx,
  { id, dispute_id }: Pick<AppealFeeRow, 'id' | 'dispute_id'>,
): Promise<boolean> {
  const locked = await lockDisputeRow(tx, dispute_id)
  const fee = locked && (await feesOf(tx, dispute_id)).find((one) => one.id === id)
  if (!locked || fee?.state !== 'offered') return false
  await expireAuthorization(tx, 'appeal_fee_id', id)
  await lapse(tx, locked, fee)
  // Wakes the job that executes the verdict.
  await tx.updateTable('market.disputes').set({ due_at: sql<Date>`due_at` }).where('id', '=', dispute_id).execute()
  return true
}

async function lapse(tx: Tx, locked: Locked, fee: AppealFeeRow): Promise<void> {
  await lapseAppealFee(tx, fee)
  await announceAppeal(tx, locked, fee, 'appeal.lapsed')
}

async function announceAppeal(
  tx: Tx,
  { order, dispute }: Locked,
  fee: AppealFeeRow,
  type: keyof typeof appealEvents,
): Promise<void> {
  const appellant_urn = urnString('agent', fee.agent_id)
  const payload = { ...disputePayload(order, dispute), appellant_urn, fee: formatAmount(fee.amount_micros) }
  await emit(tx, appealEvents[type], { payload, visibleTo: partiesOf(order) })
  const details = { dispute_urn: urnString('dispute', dispute.id), appellant_urn }
  await audit(tx, { actor: 'service', action: type, subject: urnString('order', order.id), details })
}
