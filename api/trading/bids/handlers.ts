import type { Tx } from '../../platform/db/pool.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { readBuyerRecords } from '../reputation/buyers.ts'
import { closeBid as close } from './close.ts'
import { createBid as create } from './create.ts'
import { findBid, findQuote, type QuoteRow } from './find.ts'
import { listBidRows, listQuoteRows } from './list.ts'
import { createQuote as quote } from './quote.ts'
import { closeBid, createBid, createQuote, getBid, getQuote, listBids, listQuotes, withdrawQuote } from './routes.ts'
import { toBid, toQuote } from './wire.ts'
import { withdrawQuote as withdraw } from './withdraw.ts'

export const bidHandlers = [
  serve(createBid, async (tx, call, { body }) => ({ status: 201 as const, body: toBid(await create(tx, call, body)) })),

  serve(listBids, async (tx, { actor }, { query, list }) => {
    const { role } = query
    const bidder = role === 'bidder' ? actor.agentId : undefined
    const { items: bids, next_cursor } = await list.read(
      ({ from, limit }) => listBidRows(tx, bidder, { before: from, limit }),
      toBid,
    )
    return { status: 200, body: { bids, next_cursor } }
  }),

  serve(getBid, async (tx, _call, { params }) => ({
    status: 200 as const,
    body: toBid(await findBid(tx, params.urn)),
  })),

  serve(closeBid, async (tx, call, { params }) => ({
    status: 200 as const,
    body: toBid(await close(tx, call, params.urn)),
  })),

  serve(createQuote, async (tx, call, { body }) => ({
    status: 201 as const,
    body: await quoteFor(tx, call.actor.agentId, await quote(tx, call, body)),
  })),

  serve(listQuotes, async (tx, { actor }, { query, list }) => {
    const { role, bid_urn: bidId } = query
    const { items: rows, next_cursor } = await list.read(({ from, limit }) =>
      listQuoteRows(tx, actor.agentId, { role, bidId, before: from, limit }),
    )
    const given = rows.filter(({ seller_id }) => seller_id === actor.agentId)
    const buyers = await readBuyerRecords(
      tx,
      given.map(({ bidder_id }) => bidder_id),
    )
    const quotes = rows.map((row) =>
      toQuote(row, row.seller_id === actor.agentId ? buyers.get(row.bidder_id) : undefined),
    )
    return { status: 200 as const, body: { quotes, next_cursor } }
  }),

  serve(getQuote, async (tx, { actor }, { params }) => ({
    status: 200 as const,
    body: await quoteFor(tx, actor.agentId, await findQuote(tx, actor.agentId, params.urn)),
  })),

  serve(withdrawQuote, async (tx, call, { params }) => ({
    status: 200 as const,
    body: await quoteFor(tx, call.actor.agentId, await withdraw(tx, call, params.urn)),
  })),
]

async function quoteFor(tx: Tx, readerId: string, quote: QuoteRow) {
  const buyers = quote.seller_id === readerId ? await readBuyerRecords(tx, [quote.bidder_id]) : undefined
  return toQuote(quote, buyers?.get(quote.bidder_id))
}
