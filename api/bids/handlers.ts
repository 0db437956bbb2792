import { readCursor, writeCursor } from '../http/pagination.ts'
import { serve } from '../http/serve.ts'
import { closeBid as close } from './close.ts'
import { createBid as create } from './create.ts'
import { findBid, findQuote } from './find.ts'
import { listBidRows, listQuoteRows } from './list.ts'
import { createQuote as quote } from './quote.ts'
import { closeBid, createBid, createQuote, getBid, getQuote, listBids, listQuotes, withdrawQuote } from './routes.ts'
import { toBid, toQuote } from './wire.ts'
import { withdrawQuote as withdraw } from './withdraw.ts'

export const bidHandlers = [
  serve(createBid, async (tx, call, { body }) => ({ status: 201 as const, body: toBid(await create(tx, call, body)) })),

  serve(listBids, async (tx, { actor, settings }, { query }) => {
    const { role, limit } = query
    const bound = ['bids', actor.agentId, role ?? '']
    const before = readCursor(settings, bound, query.cursor)
    const rows = await listBidRows(tx, role === 'bidder' ? actor.agentId : undefined, { before, limit })
    const next_cursor = writeCursor(settings, bound, rows, limit)
    return { status: 200 as const, body: { bids: rows.map(toBid), next_cursor } }
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
    body: toQuote(await quote(tx, call, body)),
  })),

  serve(listQuotes, async (tx, { actor, settings }, { query }) => {
    const { role, bid_urn: bidId, limit } = query
    const bound = ['quotes', actor.agentId, role ?? '', bidId ?? '']
    const before = readCursor(settings, bound, query.cursor)
    const rows = await listQuoteRows(tx, actor.agentId, { role, bidId, before, limit })
    const next_cursor = writeCursor(settings, bound, rows, limit)
    return { status: 200 as const, body: { quotes: rows.map(toQuote), next_cursor } }
  }),

  serve(getQuote, async (tx, { actor }, { params }) => ({
    status: 200 as const,
    body: toQuote(await findQuote(tx, actor.agentId, params.urn)),
  })),

  serve(withdrawQuote, async (tx, call, { params }) => ({
    status: 200 as const,
    body: toQuote(await withdraw(tx, call, params.urn)),
  })),
]
