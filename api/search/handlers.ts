import { readCursor, writeCursor } from '../http/pagination.ts'
import { serve } from '../http/serve.ts'
import { toAsk } from '../market/wire.ts'
import { formatPosition, parsePosition } from './position.ts'
import { searchAsks } from './routes.ts'
import { searchAsks as search } from './search.ts'

export const searchHandlers = [
  serve(searchAsks, async (tx, { actor, settings }, { query }) => {
    const { q: text = '', limit } = query
    const bound = ['search', actor.agentId ?? actor.humanId, text]
    const cursor = readCursor(settings, bound, query.cursor)
    const from = cursor === undefined ? undefined : parsePosition(cursor)
    const { asks, next, corrected } = await search(tx, { text, from, limit })
    const next_cursor = next && writeCursor(settings, bound, formatPosition(next))
    return { status: 200 as const, body: { asks: asks.map(toAsk), next_cursor, corrected_query: corrected } }
  }),
]
