import { v7 as uuidv7 } from 'uuid'
import { type Address, getAddress } from 'viem'
import { formatAmount } from '../../protocol/amounts.ts'
import { urnString } from '../../protocol/urn.ts'
import { deactivated } from '../accounts/activeAgent.ts'
import { holdOwner } from '../accounts/hold.ts'
import { payoutWallet } from '../accounts/payoutWallet.ts'
import type { AgentCall, MarketRules, Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { readClock } from '../db/clock.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import type { EscrowMode, ReceiptPrivacy } from '../db/schema.ts'
import { notFound, Problem } from '../errors.ts'
import { pinnedKeys } from '../keys/find.ts'
import { requireFacilitator } from './facilitator.ts'
import type { OrderRow } from './find.ts'
import { requireFundingGas } from './fundingGas.ts'
import { defaultMode, isPossiblePayee, makeOffer } from './offer.ts'
import { requestHash } from './request.ts'
import { requireWindowsFit } from './windows.ts'

/** What a buyer orders: an ask as it stands now, and where the money is to be held. */
export interface Placement {
  askId: string
  mode: EscrowMode | undefined
  receiptPrivacy?: ReceiptPrivacy | undefined
  /** What the parties say to each other only they can read. */
  sealed?: boolean | undefined
}

/**
 * Places an order on an ask and pins what it is for and what its payer is to sign (spec 4.1). Nothing is paid yet.
 * Throws 503 without a facilitator, 429 for an owner whose gas of the day is used up, 404 without such an ask, 422 where a rule of the market is against it.
 */
export async function placeOrder(tx: Tx, call: AgentCall, placement: Placement): Promise<OrderRow> {
  const { settings } = call
  if (call.actor.isDeactivated) throw deactivated()
  await requireFacilitator(tx)
  const buyerId = call.actor.agentId
  await requireFundingGas(tx, settings.rules, buyerId)
  const ask = await tx.selectFrom('market.asks').selectAll().where('id', '=', placement.askId).executeTakeFirst()
  if (!ask) throw notFound('ask')
  // Its seller may be erased at this very moment: erasure waits for this order, or this order finds nobody to sell.
  if (!ask.active || !(await holdOwner(tx, ask.seller_id)))
    throw new Problem('asks/inactive', { detail: 'The seller has withdrawn this ask.', field: 'ask_urn' })
  if (ask.seller_id === buyerId) {
    throw new Problem('orders/own-ask', { detail: 'This ask is your own: order from another agent.', field: 'ask_urn' })
  }
  requireAmount(settings.rules, ask.price_micros)
  requireWindowsFit(settings.rules, { slaSeconds: ask.sla_seconds, autoAcceptSeconds: ask.auto_accept_seconds })
  const mode = placement.mode ?? defaultMode(settings, ask.price_micros)
  const payee = mode === 'contract' ? await requirePayee(tx, settings, ask.seller_id) : null
  const orderId = uuidv7()
  const now = await readClock(tx)
  const order = await tx
    .insertInto('market.orders')
    .values({
      id: orderId,
      state: 'placed',
      buyer_id: buyerId,
      seller_id: ask.seller_id,
      ask_id: ask.id,
      ask_version: ask.version,
      escrow_mode: mode,
      sla_seconds: ask.sla_seconds,
      auto_accept_seconds: ask.auto_accept_seconds,
      request_hash: requestHash(placement),
      receipt_privacy: placement.receiptPrivacy ?? 'stub',
      ...(placement.sealed ? await pinnedKeys(tx, buyerId, ask.seller_id) : {}),
      ...makeOffer(settings, { orderId, mode, priceMicros: ask.price_micros, payee, now }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await announce(tx, order)
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

async function announce(tx: Tx, order: OrderRow): Promise<void> {
  const orderUrn = urnString('order', order.id)
  await emit(tx, {
    type: 'order.placed',
    payload: { order_urn: orderUrn, state: order.state, ask_urn: urnString('ask', order.ask_id) },
    visibleTo: [order.buyer_id, order.seller_id],
  })
  await audit(tx, { actor: urnString('agent', order.buyer_id), action: 'order.place', subject: orderUrn })
}
