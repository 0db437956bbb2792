import type { IntentPayload } from '../../../../protocol/payments/intents.ts'
import type { AgentCall } from '../../../context.ts'
import { readOwner } from '../../../identity/accounts/owner.ts'
import { requestIntent } from '../../../payments/chain/intents.ts'
import { holdTerms } from '../../../payments/escrow/terms.ts'
import { matchParkedPayment } from '../../../payments/settlement/parkedPayments.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from '../record/find.ts'
import { fileAuthorization, requireUnspent } from './fileAuthorization.ts'
import type { PresentedPayment } from './present.ts'

/**
 * Stores an authorization and requests its submission by the facilitator, or takes the payment at once if it
 * was already submitted. (payer, nonce) belongs to this order permanently; only a permanently failed attempt
 * of the same order may be replaced. The order's row must be locked.
 */
export async function filePayment(
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
