import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../../context.ts'
import { requireAllowed } from '../../../errors.ts'
import { type AppealFeeRow, feesOf } from '../../../payments/appealFees/find.ts'
import { countOpenAppeals, lockOwner, offerAppealFee } from '../../../payments/appealFees/offer.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireFundable } from '../../orders/record/fundable.ts'
import { agentOf, lockDispute } from '../record/find.ts'
import { refuseAppeal } from '../record/guards.ts'

/**
 * Appeals the automated verdict of a dispute (spec 3.1), and returns the fee to pay. Until it is paid nothing
 * else changes, but the verdict is not executed before the offer has ended. Each side can appeal once; the
 * first that pays is heard. Throws 404 for strangers, 409 unless there is a verdict to appeal and its window
 * is open, for a second appeal and after a waiver, 422 for an owner who has the maximum of open appeals, 429
 * and 503 as `requireFundable`.
 */
export async function appealVerdict(tx: Tx, { actor, settings }: AgentCall, disputeId: string): Promise<AppealFeeRow> {
  const own = await lockDispute(tx, actor, disputeId)
  const { order, party } = own
  const agentId = agentOf(order, party)
  await lockOwner(tx, agentId)
  const fees = await feesOf(tx, disputeId)
  const appeals = { fees, openAppeals: await countOpenAppeals(tx, agentId), now: await readClock(tx) }
  requireAllowed(refuseAppeal(own, appeals, settings.rules))
  const now = await requireFundable(tx, settings.rules, agentId)
  const appeal = { disputeId, orderId: order.id, party, agentId, priceMicros: order.price_micros, now }
  const fee = await offerAppealFee(tx, settings, appeal)
  await audit(tx, {
    actor: urnString('agent', agentId),
    action: 'dispute.appeal',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', disputeId), fee_micros: `${fee.amount_micros}` },
  })
  return fee
}
