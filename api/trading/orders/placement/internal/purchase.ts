import { sql } from 'kysely'
import { notFound, Problem } from '../../../../errors.ts'
import { readOwner } from '../../../../identity/accounts/owner.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import { askProblems } from '../../../asks/problems.ts'
import { takeQuote } from '../../../bids/take.ts'
import { requireCapacity } from '../../record/capacity.ts'
import { orderProblems } from '../../record/problems.ts'

/**
 * The subject of an order: an ask, at the version the buyer names or the present one, or a quote on a bid of
 * the buyer.
 */
export type Subject =
  | { askId: string; askVersion: number | undefined }
  | {
      bidId: string
      quoteId: string
    }

/** The columns of an order that come from its subject. */
export interface Purchase {
  sellerId: string
  /** The human who owns the seller's agent. */
  sellerOwnerId: string
  priceMicros: bigint
  slaSeconds: number
  autoAcceptSeconds: number
  /** The order's references to its subject. */
  reference: { ask_id: string; ask_version: number } | { bid_id: string; quote_id: string }
}

/**
 * Determines the subject of an order, its seller and its price. Uses up a quote. Throws 404 for a subject
 * that does not exist or that the buyer may not see, 409 for one that is not open or not at the named
 * version, 422 for one that is not for sale to this buyer.
 */
export async function takePurchase(tx: Tx, buyerId: string, subject: Subject): Promise<Purchase> {
  if (!('askId' in subject)) {
    const { bid_id, id: quote_id, ...quote } = await takeQuote(tx, buyerId, subject)
    const owner_id = await readOwner(tx, quote.seller_id)
    return { ...termsOf({ ...quote, owner_id }), reference: { bid_id, quote_id } }
  }
  const ask = await lockAsk(tx, subject.askId)
  if (!ask) throw notFound('ask')
  requireForSale(ask, buyerId, subject.askVersion)
  if (ask.max_open_orders !== null) await requireCapacity(tx, ask.id, null)
  return { ...termsOf(ask), reference: { ask_id: ask.id, ask_version: ask.version } }
}

/** Reads the ask and locks its seller's human against erasure until the transaction ends. */
async function lockAsk(tx: Tx, askId: string) {
  const { rows } = await sql<
    Offered & { id: string; version: number; max_open_orders: number | null; is_offered: boolean }
  >`
    select ask.id, ask.version, ask.seller_id, seller.owner_id, ask.price_micros, ask.sla_seconds, ask.auto_accept_seconds,
      ask.max_open_orders,
      ask.active and seller.deactivated_at is null and owner.erased_at is null as is_offered
    from market.asks ask
      join market.agents seller on seller.id = ask.seller_id
      join market.humans owner on owner.id = seller.owner_id
    where ask.id = ${askId}
    for key share of owner`.execute(tx)
  return rows[0]
}

interface Offered {
  seller_id: string
  owner_id: string
  price_micros: bigint
  sla_seconds: number
  auto_accept_seconds: number
}

function termsOf({
  seller_id,
  owner_id,
  price_micros,
  sla_seconds,
  auto_accept_seconds,
}: Offered): Omit<Purchase, 'reference'> {
  return {
    sellerId: seller_id,
    sellerOwnerId: owner_id,
    priceMicros: price_micros,
    slaSeconds: sla_seconds,
    autoAcceptSeconds: auto_accept_seconds,
  }
}

function requireForSale(
  ask: { seller_id: string; version: number; is_offered: boolean },
  buyerId: string,
  expectedVersion: number | undefined,
): void {
  if (!ask.is_offered)
    throw new Problem(askProblems.inactive, { detail: 'The seller has withdrawn this ask.', field: 'ask_urn' })
  if (ask.seller_id === buyerId) {
    throw new Problem(orderProblems.ownAsk, {
      detail: 'This ask is your own: order from another agent.',
      field: 'ask_urn',
    })
  }
  if (expectedVersion !== undefined && expectedVersion !== ask.version) {
    throw new Problem(askProblems.revised, {
      detail: `The ask is at version ${ask.version} by now. Read it again, and then decide whether to order it.`,
      field: 'ask_version',
    })
  }
}
