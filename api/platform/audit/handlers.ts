import { accountOf } from '../../actor.ts'
import { serve } from '../http/serve/serve.ts'
import { readHead } from './head.ts'
import { listAuditEntries } from './internal/list.ts'
import { getAuditHead, listAuditLog } from './routes.ts'

export const auditHandlers = [
  serve(listAuditLog, async (tx, { actor }, { query, list }) => {
    const { own } = query
    const accountId = accountOf(actor)
    const { items: entries, next_cursor } = await list.read(
      async ({ from, limit }) => {
        const after = Number(from ?? query.after)
        const entries = await listAuditEntries(tx, accountId, { after, own: own === 'true', limit })
        return entries.map((entry) => ({ id: String(entry.position), entry }))
      },
      ({ entry }) => entry,
    )
    return { status: 200, body: { entries, next_cursor } }
  }),

  serve(getAuditHead, {
    withoutTransaction: async ({ db, settings }) => ({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=5' },
      body: await readHead(db, settings),
    }),
  }),
]
