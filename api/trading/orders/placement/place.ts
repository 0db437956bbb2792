import { sql } from 'kysely'
import { type Address, getAddress } from 'viem'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall, Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { deactivated } from '../../../identity/accounts/owner.ts'
import { pinnedKeys } from '../../../identity/keys/find.ts'
import { nextPayoutWalletAt, payoutWallet } from '../../../identity/wallets/payoutWallet.ts'
import { type AuditEntry, auditEntry } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { requireAmount, requireWindowsFit } from '../../terms/limits.ts'
import type { OrderRow } from '../record/find.ts'
import { requireFundable } from '../record/fundable.ts'
import { orderEvents } from '../record/module.ts'
import { orderProblems } from '../record/problems.ts'
import { orderPayload } from '../record/transition.ts'
import { defaultMode, isPossiblePayee, makeOffer } from './internal/offer.ts'
import { type Subject, takePurchase } from './internal/purchase.ts'
import { type Placement, requestHash, subjectUrns } from './request.ts'

const NO_SUBJECT = { ask_id: null, ask_version: null, bid_id: null, quote_id: null }
const OPEN = { sealed: false, buyer_keys_id: null, seller_keys_id: null }

/**
 * Places an order on an ask or a quote and fixes its terms and what its payer must sign (spec 4.1). Nothing
 * is paid yet. Throws 503 without a facilitator, 429 if the owner's gas of the day is used up, 404 and 409 as
 * takePurchase, 422 if a rule of the market forbids it.
 */
export async function placeOrder(tx: Tx, call: AgentCall, placement: Placement): Promise<OrderRow> {
  const { settings } = call
  if (call.actor.isDeactivated) throw deactivated()
  const buyerId = call.actor.agentId
  const now = await requireFundable(tx, settings.rules, buyerId)
  const bought = await takePurchase(tx, buyerId, placement.subject)
  const field = 'askId' in placement.subject ? 'ask_urn' : 'quote_urn'
  requireAmount(settings.rules, bought.priceMicros, field)
  requireWindowsFit(settings.rules, bought, field)
  const mode = placement.mode ?? defaultMode(settings, bought.priceMicros)
  const payee = mode === 'contract' ? await requirePayee(tx, settings, bought.sellerId) : null
  const orderId = newId()
  const row = {
    id: orderId,
    state: 'placed' as const,
    buyer_id: buyerId,
    seller_id: bought.sellerId,
    seller_owner_id: bought.sellerOwnerId,
    ...NO_SUBJECT,
    ...bought.reference,
    escrow_mode: mode,
    sla_seconds: bought.slaSeconds,
    auto_accept_seconds: bought.autoAcceptSeconds,
    request_hash: requestHash(placement),
    receipt_privacy: placement.receiptPrivacy ?? 'stub',
    ...(placement.sealed ? await pinnedKeys(tx, buyerId, bought.sellerId) : OPEN),
    ...makeOffer(settings, { ...bought, orderId, mode, payee, now }),
  }
  const order = await tx
    .with('entry', (db) => auditEntry(db, placementEntry(row)))
    .insertInto('market.orders')
    .values({ ...row, placement_entry: sql<bigint>`(select id from entry)` })
    .returningAll()
    .executeTakeFirstOrThrow()
  await announce(tx, order, placement.subject)
  return order
}

async function requirePayee(tx: Tx, settings: Pick<Settings, 'chain'>, sellerId: string): Promise<Address> {
  const wallet = await payoutWallet(tx, sellerId)
  if (wallet && isPossiblePayee(settings, getAddress(wallet.address))) return getAddress(wallet.address)
  const payoutFrom = wallet ? undefined : await nextPayoutWalletAt(tx, sellerId)
  throw new Problem(orderProblems.sellerWalletRequired, {
    detail: payoutFrom
      ? `The payout wallet of this seller takes effect at ${payoutFrom.toISOString()}. Order in contract mode then, or in custodied mode now.`
      : 'The contract pays a wallet of the seller, and this seller has none in use. Order in custodied mode.',
    field: 'escrow_mode',
    payoutFrom,
  })
}

async function announce(tx: Tx, order: OrderRow, subject: Subject): Promise<void> {
  const payload = { ...orderPayload(order), ...subjectUrns(subject) }
  await emit(tx, orderEvents['order.placed'], { payload, visibleTo: [order.buyer_id, order.seller_id] })
}

/**
 * Returns the audit entry that records buyer and seller of an order: the payment of a stock x402 client does
 * not name the seller.
 */
function placementEntry({
  id,
  buyer_id,
  seller_id,
  seller_owner_id,
}: Pick<OrderRow, 'id' | 'buyer_id' | 'seller_id' | 'seller_owner_id'>): AuditEntry {
  return {
    ...{ actor: urnString('agent', buyer_id), action: 'order.place', subject: urnString('order', id) },
    // Its readers are the parties, who learn no more of each other than their agents.
    details: {
      seller_urn: urnString('agent', seller_id),
      owner_sha256: sha256Hex(urnString('human', seller_owner_id)),
    },
  }
}
