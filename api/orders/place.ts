import { v7 as uuidv7 } from 'uuid'
import { type Address, getAddress } from 'viem'
import { formatAmount } from '../../protocol/amounts.ts'
import { urnString } from '../../protocol/urn.ts'
import { deactivated } from '../accounts/activeAgent.ts'
import { payoutWallet } from '../accounts/payoutWallet.ts'
import type { AgentCall, MarketRules, Settings } from '../context.ts'
import { emitAudited } from '../db/act.ts'
import type { Tx } from '../db/pool.ts'
import type { EscrowMode } from '../db/schema/orders.ts'
import type { ReceiptPrivacy } from '../db/schema/receipts.ts'
import { Problem } from '../errors.ts'
import { pinnedKeys } from '../keys/find.ts'
import type { OrderRow } from './find.ts'
import { requireFundable } from './fundable.ts'
import { insertNewOrder, type NewOrder } from './newOrder.ts'
import { defaultMode, isPossiblePayee, makeOffer } from './offer.ts'
import { type Subject, takePurchase } from './purchase.ts'
import { requestHash, subjectUrns } from './request.ts'
import { requireWindowsFit } from './windows.ts'

const NO_SUBJECT = { ask_id: null, ask_version: null, bid_id: null, quote_id: null }
const OPEN = { sealed: false, buyer_keys_id: null, seller_keys_id: null }

/** What a buyer orders, and where the money is to be held. */
export interface Placement {
  subject: Subject
  mode: EscrowMode | undefined
  receiptPrivacy?: ReceiptPrivacy | undefined
  /** What the parties say to each other only they can read. */
  sealed?: boolean | undefined
}

/**
 * Places an order on an ask or a quote and pins what it is for and what its payer is to sign (spec 4.1). Nothing is paid yet.
 * Throws 503 without a facilitator, 429 for an owner whose gas of the day is used up, 404 and 409 as takePurchase, 422
 * where a rule of the market is against it.
 */
export async function placeOrder(tx: Tx, call: AgentCall, placement: Placement): Promise<OrderRow> {
  const { settings } = call
  if (call.actor.isDeactivated) throw deactivated()
  const buyerId = call.actor.agentId
  // One travels with the other. Where both refuse, the first does.
  const [now, bought] = await Promise.all([
    requireFundable(tx, settings.rules, buyerId),
    takePurchase(tx, buyerId, placement.subject),
  ])
  requireAmount(settings.rules, bought.priceMicros)
  requireWindowsFit(settings.rules, bought)
  const mode = placement.mode ?? defaultMode(settings, bought.priceMicros)
  const payee = mode === 'contract' ? await requirePayee(tx, settings, bought.sellerId) : null
  const orderId = uuidv7()
  const pinned: NewOrder = {
    id: orderId,
    state: 'placed',
    buyer_id: buyerId,
    seller_id: bought.sellerId,
    ...NO_SUBJECT,
    ...bought.reference,
    escrow_mode: mode,
    sla_seconds: bought.slaSeconds,
    auto_accept_seconds: bought.autoAcceptSeconds,
    request_hash: requestHash(placement),
    receipt_privacy: placement.receiptPrivacy ?? 'stub',
    ...(placement.sealed ? await pinnedKeys(tx, buyerId, bought.sellerId) : OPEN),
    ...makeOffer(settings, { orderId, mode, priceMicros: bought.priceMicros, payee, now }),
  }
  const order = await insertNewOrder(tx, pinned, now)
  await announce(tx, order, placement.subject)
  return order
}

/** Throws orders/amount-out-of-range unless an order of this amount is allowed. */
function requireAmount(rules: MarketRules, amountMicros: bigint): void {
  if (amountMicros >= rules.minOrderMicros && amountMicros <= rules.maxOrderMicros) return
  throw new Problem('orders/amount-out-of-range', {
    detail:
      `${formatAmount(amountMicros)} is outside the limits: ` +
      `${formatAmount(rules.minOrderMicros)} to ${formatAmount(rules.maxOrderMicros)}.`,
  })
}

async function requirePayee(tx: Tx, settings: Settings, sellerId: string): Promise<Address> {
  const wallet = await payoutWallet(tx, sellerId)
  if (wallet && isPossiblePayee(settings, getAddress(wallet.address))) return getAddress(wallet.address)
  throw new Problem('orders/seller-wallet-required', {
    detail:
      'The contract pays the seller itself, and this seller has no wallet verified for it. Order in custodied mode.',
    field: 'escrow_mode',
  })
}

async function announce(tx: Tx, order: OrderRow, subject: Subject): Promise<void> {
  const orderUrn = urnString('order', order.id)
  const payload = { order_urn: orderUrn, state: order.state, ...subjectUrns(subject) }
  await emitAudited(
    tx,
    { type: 'order.placed', payload, visibleTo: [order.buyer_id, order.seller_id] },
    { actor: urnString('agent', order.buyer_id), action: 'order.place', subject: orderUrn },
  )
}
