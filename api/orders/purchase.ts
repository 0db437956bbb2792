import { takeQuote } from '../bids/take.ts'
import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'
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
  const [ask] = await selectAsk(tx, [subject.askId])
  if (!ask) throw notFound('ask')
  requireForSale(ask, buyerId, subject.askVersion)
  return { ...termsOf(ask), reference: { ask_id: ask.id, ask_version: ask.version } }
}

// Its seller may be erased at this very moment: erasure waits for this order, or this order finds nobody to sell. What is
// read of the human is what stands once the row is held.
const selectAsk = statement<Offered & { id: string; version: number; is_offered: boolean }>(`
  select ask.id, ask.version, ask.seller_id, ask.price_micros, ask.sla_seconds, ask.auto_accept_seconds,
    ask.active and seller.deactivated_at is null and owner.erased_at is null as is_offered
  from market.asks ask
    join market.agents seller on seller.id = ask.seller_id
    join market.humans owner on owner.id = seller.owner_id
  where ask.id = $1
  for key share of owner`)

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
  ask: { seller_id: string; version: number; is_offered: boolean },
  buyerId: string,
  expectedVersion: number | undefined,
): void {
  if (!ask.is_offered)
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
