import { Problem } from '../../errors.ts'
import { httpProblems } from '../../platform/http/serve/problems.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { toAsk } from '../asks/wire.ts'
import { alphaBpsOf } from '../reputation/alpha.ts'
import { readSellers } from '../reputation/sellers.ts'
import { formatPosition, parsePosition } from './internal/position.ts'
import { searchAsks as search } from './internal/search.ts'
import { searchAsks } from './routes.ts'

// The version of the cursor's content: a cursor of an earlier format is refused and not misread.
const FORMAT = '4'

export const searchHandlers = [
  serve(searchAsks, async (tx, { settings }, { query, list }) => {
    const { q: text = '', limit, sort, input } = query
    const { min_price: minMicros, max_price: maxMicros, seller_urn: sellerId } = query
    if (minMicros !== undefined && maxMicros !== undefined && minMicros > maxMicros)
      throw new Problem(httpProblems.invalid, { detail: 'max_price: must not be below min_price.', field: 'max_price' })
    const cursors = list.within(FORMAT)
    const cursor = cursors.position()
    const from = cursor === undefined ? undefined : parsePosition(cursor)
    const wanted = { text, sort, minMicros, maxMicros, sellerId, input }
    const { asks, next, corrected } = await search(tx, { ...wanted, from, limit })
    const next_cursor = next && cursors.cursorTo(formatPosition(next))
    const sellerIds = asks.map(({ seller_id }) => seller_id)
    const sellerOf = await readSellers(tx, sellerIds, alphaBpsOf(settings.rules))
    const listed = asks.map((ask) => ({ ...toAsk(ask), seller: sellerOf(ask.seller_id) }))
    return { status: 200 as const, body: { asks: listed, next_cursor, corrected_query: corrected } }
  }),
]
