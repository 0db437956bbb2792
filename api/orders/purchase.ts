import { holdOwner } from '../accounts/hold.ts'
import { takeQuote } from '../bids/take.ts'
import type { Tx } from '../db/pool.ts'
import { notFound, Problem } from '../errors.ts'

/** What is ordered: an ask, at the version the buyer names or as it stands, or a quote on a bid of the buyer's. */
export type Subject =
  | { askId: string; askVersion: number | undefined }
  | {
      bidId: string
      quoteId: string
    }

/** What an order pins of its subject. */
export interface Purchase {
  sellerId: string
  priceMicros: bigint
  slaSeconds: number
  autoAcceptSeconds: number
  /** What the order is for, in its row. */
  reference: { ask_id: string; ask_version: number } | { bid_id: string; quote_id: string }
}

/**
 * Settles what the buyer gets, from whom and for how much. A quote is used up by it. Throws 404 for what is not there or
 * not the buyer's to see, 409 for what is not open or not the version that was named, 422 for what is not for sale to
 * this buyer.
 */
export async function takePurchase(tx: Tx, buyerId: string, subject: Subject): Promise<Purchase> {
  if (!('askId' in subject)) {
    const { bid_id, id: quote_id, ...quote } = await takeQuote(tx, buyerId, subject)
    return { ...termsOf(quote), reference: { bid_id, quote_id } }
  }
  const ask = await tx
    .selectFrom('market.asks as ask')
    .innerJoin('market.agents as seller', 'seller.id', 'ask.seller_id')
    .select(['ask.id', 'version', 'seller_id', 'price_micros', 'sla_seconds', 'auto_accept_seconds', 'active'])
    .select('seller.deactivated_at')
    .where('ask.id', '=', subject.askId)
    .executeTakeFirst()
  if (!ask) throw notFound('ask')
  // Its seller may be erased at this very moment: erasure waits for this order, or this order finds nobody to sell.
  const isOffered = ask.active && !ask.deactivated_at && (await holdOwner(tx, ask.seller_id))
  requireForSale({ ...ask, isOffered: Boolean(isOffered) }, buyerId, subject.askVersion)
  return { ...termsOf(ask), reference: { ask_id: ask.id, ask_version: ask.version } }
}

interface Offered {
  seller_id: string
  price_micros: bigint
  sla_seconds: number
  auto_accept_seconds: number
}

function termsOf({ seller_id, price_micros, sla_seconds, auto_accept_seconds }: Offered): Omit<Purchase, 'reference'> {
  return {
    sellerId: seller_id,
    priceMicros: price_micros,
    slaSeconds: sla_seconds,
    autoAcceptSeconds: auto_accept_seconds,
  }
}

function requireForSale(
  ask: { seller_id: string; version: number; isOffered: boolean },
  buyerId: string,
  expectedVersion: number | undefined,
): void {
  if (!ask.isOffered)
    throw new Problem('asks/inactive', { detail: 'The seller has withdrawn this ask.', field: 'ask_urn' })
  if (ask.seller_id === buyerId) {
    throw new Problem('orders/own-ask', { detail: 'This ask is your own: order from another agent.', field: 'ask_urn' })
  }
  if (expectedVersion !== undefined && expectedVersion !== ask.version) {
    throw new Problem('asks/revised', {
      detail: `The ask is at version ${ask.version} by now. Read it again, and order what you then want.`,
      field: 'ask_version',
    })
  }
}
