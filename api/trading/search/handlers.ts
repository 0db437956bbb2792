import { Problem } from '../../errors.ts'
import { readCursor, writeCursor } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { toAsk } from '../asks/wire.ts'
import { formatPosition, parsePosition } from './position.ts'
import { searchAsks } from './routes.ts'
import { searchAsks as search } from './search.ts'

// The version of the cursor's content: a cursor of an earlier format is refused and not misread.
const CURSOR = 'search 4'

export const searchHandlers = [
  serve(searchAsks, async (tx, { actor, settings }, { query }) => {
    const { q: text = '', limit, sort, min_price: minMicros, max_price: maxMicros, seller_urn: sellerId } = query
    if (minMicros !== undefined && maxMicros !== undefined && minMicros > maxMicros)
      throw new Problem('request/invalid', { detail: 'max_price: must not be below min_price.', field: 'max_price' })
    const filter = [minMicros, maxMicros, sellerId].map((value) => String(value ?? ''))
    const bound = [CURSOR, actor.agentId ?? actor.humanId, text, sort, ...filter]
    const cursor = readCursor(settings, bound, query.cursor)
    const from = cursor === undefined ? undefined : parsePosition(cursor)
    const { asks, next, corrected } = await search(tx, { text, sort, minMicros, maxMicros, sellerId, from, limit })
    const next_cursor = next && writeCursor(settings, bound, formatPosition(next))
    return { status: 200 as const, body: { asks: asks.map(toAsk), next_cursor, corrected_query: corrected } }
  }),
]
