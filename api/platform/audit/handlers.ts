import { readPage } from '../http/route/pagination.ts'
import { serve } from '../http/serve/serve.ts'
import { readHead } from './head.ts'
import { listAuditEntries } from './list.ts'
import { getAuditHead, listAuditLog } from './routes.ts'

export const auditHandlers = [
  serve(listAuditLog, async (tx, { actor, settings }, { query }) => {
    const { own } = query
    const accountId = actor.agentId ?? actor.humanId
    const bound = ['audit-log', accountId, own, String(query.after)]
    const { rows, next_cursor } = await readPage(settings, bound, query, async ({ from, limit }) => {
      const after = Number(from ?? query.after)
      const entries = await listAuditEntries(tx, accountId, { after, own: own === 'true', limit })
      return entries.map((entry) => ({ id: String(entry.position), entry }))
    })
    return { status: 200, body: { entries: rows.map(({ entry }) => entry), next_cursor } }
  }),

  serve(getAuditHead, {
    withoutTransaction: async ({ db, settings }) => ({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=5' },
      body: await readHead(db, settings),
    }),
  }),
]
