import { urnString } from '../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { AppealFeeRow } from '../../payments/appealFees/find.ts'
import { countOpenAppeals, offerAppealFee } from '../../payments/appealFees/offer.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { requireFundable } from '../orders/record/fundable.ts'
import { requireNotSuspended } from '../orders/record/suspend.ts'
import { agentOf, lockDispute } from './find.ts'
import { stateConflict } from './transition.ts'

/**
 * Appeals the automated verdict of a dispute (spec 3.1), and returns the fee to pay. Until it is paid nothing else changes, but
 * the verdict is not executed before the offer has ended. Each side can appeal once; the first that pays is heard. Throws 404 for
 * strangers, 409 unless there is a verdict to appeal and its window is open, for a second appeal and after a waiver, 422 for an
 * owner with open appeals enough, 429 and 503 as `requireFundable`.
 */
export async function appealVerdict(tx: Tx, { actor, settings }: AgentCall, disputeId: string): Promise<AppealFeeRow> {
  const { order, dispute, party } = await lockDispute(tx, actor, disputeId)
  const { rules } = settings
  const agentId = agentOf(order, party)
  if (dispute.state !== 'decided') throw stateConflict(['decided'])
  requireNotSuspended(order)
  if (dispute[`${party}_waived_at`] !== null) throw conflict('You have waived your appeal.')
  const now = await requireFundable(tx, rules, agentId)
  if (dispute.due_at === null || dispute.due_at <= now) throw conflict('The time to appeal is over.')
  if ((await countOpenAppeals(tx, agentId)) >= rules.maxOpenAppeals) {
    const detail = `At most ${rules.maxOpenAppeals} appeals of one owner can be open. Wait until one of yours is decided.`
    throw new Problem('disputes/too-many-appeals', { detail })
  }
  const appeal = { disputeId, orderId: order.id, party, agentId, priceMicros: order.price_micros, now }
  const fee = await offerAppealFee(tx, settings, appeal)
  if (!fee) throw conflict('You have appealed already. Read the dispute to see what became of it.')
  await audit(tx, {
    actor: urnString('agent', agentId),
    action: 'dispute.appeal',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', disputeId), fee_micros: `${fee.amount_micros}` },
  })
  return fee
}

function conflict(detail: string): Problem {
  return new Problem('disputes/state-conflict', { detail })
}
