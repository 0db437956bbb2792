import { readCursor, writeCursor } from '../http/pagination.ts'
import { serve } from '../http/serve.ts'
import { auditHeads } from './head.ts'
import { listAuditEntries } from './list.ts'
import { getAuditHead, listAuditLog } from './routes.ts'

const headOf = auditHeads()

export const auditHandlers = [
  serve(listAuditLog, async (tx, { actor, settings }, { query }) => {
    const { limit, own } = query
    const accountId = actor.agentId ?? actor.humanId
    const bound = ['audit-log', accountId, own, String(query.after)]
    const after = Number(readCursor(settings, bound, query.cursor) ?? query.after)
    const entries = await listAuditEntries(tx, accountId, { after, own: own === 'true', limit })
    const rows = entries.map(({ position }) => ({ id: String(position) }))
    return { status: 200, body: { entries, next_cursor: writeCursor(settings, bound, rows, limit) } }
  }),

  serve(getAuditHead, {
    withoutTransaction: async ({ db, settings }) => ({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=5' },
      body: await headOf(db, settings),
    }),
  }),
]
