import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { IntentPayload } from '../../../../../protocol/payments/intents.ts'
import type { AgentCall } from '../../../../context.ts'
import { Problem } from '../../../../errors.ts'
import { readOwner } from '../../../../identity/accounts/owner.ts'
import { requestIntent } from '../../../../payments/chain/intents.ts'
import { isAdopting } from '../../../../payments/escrow/authorizations.ts'
import { holdTerms } from '../../../../payments/escrow/terms.ts'
import { matchParkedPayment } from '../../../../payments/settlement/parkedPayments.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import { requireCapacity } from '../../record/capacity.ts'
import { lockOrderAs, type OrderRow, readOrder } from '../../record/find.ts'
import { requireFundable } from '../../record/fundable.ts'
import { ACTING_PARTY } from '../../record/guards.ts'
import { orderProblems } from '../../record/problems.ts'
import { fileAuthorization, requireUnfiled, requireUnspent } from '../fileAuthorization.ts'
import { requireForOffer, requirePayer, requireSigned, requireValidNow } from '../paymentChecks.ts'
import { memberField, type PresentedPayment } from '../present.ts'

/**
 * Accepts a buyer's signed authorization for an order: checks all of it, files it for this order, and
 * requests its submission by the facilitator (spec 4.1). The order is funded once the chain shows the
 * payment. Returns the order. Throws 404 for strangers, 403 for the seller and beyond the token's spend
 * limit, 409 for a second payment or one of another account, and for an ask with as many orders as it takes,
 * 422 for one that does not match the offer, 429 if the owner's gas of the day is used up.
 */
export async function fundOrder(tx: Tx, call: AgentCall, payment: PresentedPayment): Promise<OrderRow> {
  const order = await lockOrderAs(tx, call.actor, payment.orderId, ACTING_PARTY.fund)
  const now = await requireFundable(tx, call.settings.rules, order.buyer_id)
  await requireUnpaid(tx, order)
  if (order.ask_id !== null) await requireCapacity(tx, order.ask_id, order.id)
  await requirePayer(tx, {
    buyerId: order.buyer_id,
    from: payment.authorization.from,
    field: memberField(payment.lane, 'from'),
    mustBeVerified: payment.lane === 'x402',
  })
  await requireUnfiled(tx, { order_id: order.id, appeal_fee_id: null }, payment)
  requireForOffer(call.settings.rules, order, payment)
  requireValidNow(order, payment, now)
  requireSigned(payment)
  await filePayment(tx, call, order, payment)
  await audit(tx, {
    actor: urnString('agent', order.buyer_id),
    action: 'order.fund',
    subject: urnString('order', order.id),
    details: { payer: payment.authorization.from, nonce: payment.authorization.nonce },
  })
  return (await readOrder(tx, call.actor, order.id)).order
}

async function requireUnpaid(tx: Tx, order: OrderRow): Promise<void> {
  if (order.state === 'cancelled') {
    throw new Problem(orderProblems.stateConflict, { detail: 'This order was cancelled. Place a new one.' })
  }
  const live = await tx
    .selectFrom('market.authorizations')
    .select('id')
    .where('order_id', '=', order.id)
    .where('state', '<>', 'failed')
    .executeTakeFirst()
  if (order.state === 'placed' && !live && !(await isAdopting(tx, order.id))) return
  throw new Problem(orderProblems.alreadyFunded, {
    detail: 'A payment for this order is on file already. Read the order to see its state; do not sign again.',
  })
}

/**
 * Stores an authorization and requests its submission by the facilitator, or takes the payment at once if it
 * was already submitted. (payer, nonce) belongs to this order permanently; only a permanently failed attempt
 * of the same order may be replaced. The order's row must be locked.
 */
async function filePayment(
  tx: Tx,
  { actor, settings }: AgentCall,
  order: OrderRow,
  payment: PresentedPayment,
): Promise<void> {
  const { authorization } = payment
  const attempt = await fileAuthorization(tx, actor, { order_id: order.id, appeal_fee_id: null }, payment)
  const identity = { payer: authorization.from.toLowerCase(), nonce: authorization.nonce }
  if (await matchParkedPayment(tx, settings, order, identity)) return
  await requireUnspent(tx, payment)
  const payload: IntentPayload =
    order.escrow_mode === 'contract'
      ? { kind: 'fund', terms: holdTerms(order), authorization }
      : { kind: 'deposit', authorization }
  const ownerId = await readOwner(tx, order.buyer_id)
  await requestIntent(tx, { key: `${payload.kind}:${order.id}:${attempt}`, orderId: order.id, ownerId }, payload)
}
