import { readingAgents } from '../../identity/accounts/owner.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { readBuyerRecords } from '../reputation/buyers.ts'
import { closeBid as close } from './close.ts'
import { createBid as create } from './create.ts'
import { findBid, findQuote, type QuoteRow } from './find.ts'
import { listBidRows, listQuoteRows } from './internal/list.ts'
import { createQuote as quote } from './internal/quote.ts'
import { toBid, toQuote } from './internal/wire.ts'
import { withdrawQuote as withdraw } from './internal/withdraw.ts'
import { closeBid, createBid, createQuote, getBid, getQuote, listBids, listQuotes, withdrawQuote } from './routes.ts'

export const bidHandlers = [
  serve(createBid, async (tx, call, { body }) => ({ status: 201 as const, body: toBid(await create(tx, call, body)) })),

  serve(listBids, async (tx, { actor }, { query, list }) => {
    const { role } = query
    const bidders = role === 'bidder' ? await readingAgents(tx, actor) : undefined
    const { items: bids, next_cursor } = await list.read(
      ({ from, limit }) => listBidRows(tx, bidders, { before: from, limit }),
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
    body: await quoteFor(tx, [call.actor.agentId], await quote(tx, call, body)),
  })),

  serve(listQuotes, async (tx, { actor }, { query, list }) => {
    const { role, bid_urn: bidId } = query
    const own = await readingAgents(tx, actor)
    const { items: rows, next_cursor } = await list.read(({ from, limit }) =>
      listQuoteRows(tx, own, { role, bidId, before: from, limit }),
    )
    const given = rows.filter(({ seller_id }) => own.includes(seller_id))
    const buyers = await readBuyerRecords(
      tx,
      given.map(({ bidder_id }) => bidder_id),
    )
    const quotes = rows.map((row) => toQuote(row, own.includes(row.seller_id) ? buyers.get(row.bidder_id) : undefined))
    return { status: 200 as const, body: { quotes, next_cursor } }
  }),

  serve(getQuote, async (tx, { actor }, { params }) => {
    const own = await readingAgents(tx, actor)
    return { status: 200 as const, body: await quoteFor(tx, own, await findQuote(tx, own, params.urn)) }
  }),

  serve(withdrawQuote, async (tx, call, { params }) => ({
    status: 200 as const,
    body: await quoteFor(tx, [call.actor.agentId], await withdraw(tx, call, params.urn)),
  })),
]

async function quoteFor(tx: Tx, readers: readonly string[], quote: QuoteRow) {
  const buyers = readers.includes(quote.seller_id) ? await readBuyerRecords(tx, [quote.bidder_id]) : undefined
  return toQuote(quote, buyers?.get(quote.bidder_id))
}
