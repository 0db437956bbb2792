import { serve } from '../../platform/http/serve/serve.ts'
import { sessionCookie } from '../authentication/credential.ts'
import { logOut as end, revokeSession as revoke } from './internal/revoke.ts'
import { listSessionRows, toSession } from './list.ts'
import { listSessions, logOut, revokeSession } from './routes.ts'

export const sessionHandlers = [
  serve(listSessions, async (tx, { actor, settings }, { list }) => {
    const { items: sessions, next_cursor } = await list.read(
      (page) => listSessionRows(tx, settings, actor.humanId, page),
      (row) => toSession(row, actor),
    )
    return { status: 200, body: { sessions, next_cursor } }
  }),

  serve(revokeSession, async (tx, { actor }, { params }) => {
    await revoke(tx, actor, params.urn)
    return { status: 204, body: undefined }
  }),

  serve(logOut, async (tx, { actor, settings }) => {
    await end(tx, actor)
    return { status: 204, body: undefined, headers: { 'Set-Cookie': sessionCookie(settings.web) } }
  }),
]
