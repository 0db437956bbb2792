import { sql } from 'kysely'
import { formatAmount } from '../../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { CallContext, Settings } from '../../../../context.ts'
import { Problem, requireAllowed } from '../../../../errors.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import { httpProblems } from '../../../../platform/http/serve/problems.ts'
import { assignReviewers } from '../../assignment/assign.ts'
import { lockReview, type OwnReview } from '../../assignment/find.ts'
import { readRecord } from '../../facts/record.ts'
import { remedyOf, withinLimits } from '../../facts/remedy.ts'
import { refuseDecide } from '../../record/guards.ts'
import { end } from '../../work/end.ts'
import { signVerdict } from '../../work/sign.ts'

/** A reviewer's decision: the amount that the buyer gets back, and the reason. */
export interface HumanDecision {
  refundMicros: bigint
  grounds: string
}

const CONSENT_BPS = 500n
const BPS_SCALE = 10_000n

/**
 * Records the decision of an assigned reviewer. Once all have decided, the verdict is signed and executed: it
 * supersedes an automated one and is final. If two differ, a third is assigned and the median decides.
 * Returns whether this decided the dispute. Throws 404 for every other operator, 409 for a second decision,
 * 400 for more than the price.
 */
export async function decideCase(
  tx: Tx,
  call: CallContext,
  disputeId: string,
  { refundMicros, grounds }: HumanDecision,
): Promise<boolean> {
  const own = await lockReview(tx, call, disputeId)
  const { order, dispute, review } = own
  requireAllowed(refuseDecide(own, review.decided_at !== null))
  if (refundMicros > order.price_micros) {
    const detail = `refund: is above the price, ${formatAmount(order.price_micros)}.`
    throw new Problem(httpProblems.invalid, { detail, field: 'refund' })
  }
  await tx
    .updateTable('market.reviews')
    .set({ refund_micros: refundMicros, grounds, decided_at: sql<Date>`market.now()` })
    .where('id', '=', review.id)
    .execute()
  await audit(tx, {
    actor: urnString('human', call.actor.humanId),
    action: 'review.decide',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', dispute.id) },
  })
  return concludeReview(tx, call.settings, own)
}

async function concludeReview(tx: Tx, settings: Settings, { order, dispute }: OwnReview): Promise<boolean> {
  const reviews = await tx
    .selectFrom('market.reviews')
    .select(['refund_micros', 'grounds'])
    .where('dispute_id', '=', dispute.id)
    .where('decided_at', 'is not', null)
    .where('ended_at', 'is', null)
    .orderBy('decided_at')
    .execute()
  if (reviews.length < dispute.reviewers) return false
  const decided = agreement(
    reviews.map(({ refund_micros }) => refund_micros ?? 0n),
    order.price_micros,
  )
  if (decided === undefined) {
    await tx.updateTable('market.disputes').set({ reviewers: 3 }).where('id', '=', dispute.id).execute()
    await assignReviewers(tx, settings.rules, order, { ...dispute, reviewers: 3 })
    return false
  }
  const refundMicros = withinLimits(decided, (await readRecord(tx, dispute.id)).facts)
  const grounds = reviews.map((review) => review.grounds).join('\n\n')
  const ruling = { kind: 'human', refundMicros, grounds, confidence: 1, promptVersion: 'human' } as const
  await signVerdict(tx, settings, { order, dispute }, ruling)
  await end(tx, settings, { order, dispute }, { transition: 'review', outcome: 'verdict', refundMicros })
  return true
}

/**
 * Returns the reviewers' joint decision: that of a single one; the mean of two with the same remedy who are
 * at most a twentieth of the price apart; the median of three. Undefined if two differ by more.
 */
export function agreement(refunds: readonly bigint[], priceMicros: bigint): bigint | undefined {
  const [first, second, ...more] = refunds
  if (first === undefined || second === undefined) return first
  if (more.length > 0) return refunds.toSorted((left, right) => (left < right ? -1 : 1))[1]
  const apart = first > second ? first - second : second - first
  const isSame = remedyOf(priceMicros, first) === remedyOf(priceMicros, second)
  return isSame && apart * BPS_SCALE <= priceMicros * CONSENT_BPS ? (first + second) / 2n : undefined
}
