import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall, Settings } from '../../../context.ts'
import { Problem, requireAllowed } from '../../../errors.ts'
import { readOwner } from '../../../identity/accounts/owner.ts'
import { type AppealFeeRow, feeIntentKey, feesOf } from '../../../payments/appealFees/find.ts'
import { requestIntent } from '../../../payments/chain/intents.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { fileAuthorization, requireUnfiled, requireUnspent } from '../../orders/payment/fileAuthorization.ts'
import {
  type PaidOffer,
  requireForOffer,
  requirePayer,
  requireSigned,
  requireValidNow,
} from '../../orders/payment/paymentChecks.ts'
import { memberField, type PresentedPayment } from '../../orders/payment/present.ts'
import { requireFundable } from '../../orders/record/fundable.ts'
import { lockDispute } from '../record/find.ts'
import { refuseFund } from '../record/guards.ts'
import { disputeProblems } from '../record/problems.ts'

/**
 * Accepts the signed authorization that pays the fee of the caller's appeal, with the checks of an order's
 * payment, and requests its submission. The appeal is heard once the chain shows the payment. Throws 404 for
 * strangers, 409 unless the caller's appeal awaits its fee, or if a payment is on file, else as `fundOrder`.
 */
export async function fundAppeal(
  tx: Tx,
  { actor, settings }: AgentCall,
  disputeId: string,
  payment: PresentedPayment,
): Promise<AppealFeeRow> {
  const { order, party } = await lockDispute(tx, actor, disputeId)
  const fee = (await feesOf(tx, disputeId)).find((one) => one.party === party)
  if (!fee)
    throw new Problem(disputeProblems.stateConflict, { detail: 'Appeal first: the answer says what the fee is.' })
  requireAllowed(refuseFund(fee, await isPaid(tx, fee)))
  const now = await requireFundable(tx, settings.rules, fee.agent_id)
  const field = memberField(payment.lane, 'from')
  const { from, nonce } = payment.authorization
  await requirePayer(tx, { buyerId: fee.agent_id, from, field, mustBeVerified: false })
  const target = { order_id: null, appeal_fee_id: fee.id }
  await requireUnfiled(tx, target, payment)
  const offer = offerOf(settings, fee)
  requireForOffer(settings.rules, offer, payment)
  requireValidNow(offer, payment, now)
  requireSigned(payment)
  const attempt = await fileAuthorization(tx, actor, target, payment)
  await requireUnspent(tx, payment)
  const ownerId = await readOwner(tx, fee.agent_id)
  const { authorization } = payment
  const intent = { key: feeIntentKey(fee.id, attempt), orderId: null, ownerId }
  await requestIntent(tx, intent, { kind: 'deposit', authorization })
  await audit(tx, {
    actor: urnString('agent', fee.agent_id),
    action: 'appeal.fund',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', disputeId), payer: from, nonce },
  })
  return fee
}

/** Returns a fee as the offer that its payment must match. It pays nobody but the service. */
function offerOf({ chain }: Pick<Settings, 'chain'>, fee: AppealFeeRow): PaidOffer {
  const { recipient, amount_micros: price_micros, nonce, valid_before } = fee
  const fee_recipient = chain.feeRecipient.toLowerCase()
  return { recipient, price_micros, nonce, valid_before, payee: null, fee_recipient, escrow_mode: 'custodied' }
}

async function isPaid(tx: Tx, { id }: AppealFeeRow): Promise<boolean> {
  const live = await tx
    .selectFrom('market.authorizations')
    .select('id')
    .where('appeal_fee_id', '=', id)
    .where('state', '<>', 'failed')
    .executeTakeFirst()
  return live !== undefined
}
