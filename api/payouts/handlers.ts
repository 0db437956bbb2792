import { readCursor, writeCursor } from '../http/pagination.ts'
import { serve } from '../http/serve.ts'
import { listPayoutRows, toPayout } from './queries.ts'
import { listPayouts } from './routes.ts'

export const payoutHandlers = [
  serve(listPayouts, async (tx, { actor, settings }, { query }) => {
    const bound = ['payouts', actor.agentId ?? actor.humanId]
    const before = readCursor(settings, bound, query.cursor)
    const rows = await listPayoutRows(tx, actor, { before, limit: query.limit })
    const next_cursor = writeCursor(settings, bound, rows, query.limit)
    return { status: 200 as const, body: { payouts: rows.map(toPayout), next_cursor } }
  }),
]
