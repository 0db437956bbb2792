import { readCursor, writeCursor } from '../http/pagination.ts'
import { serve } from '../http/serve.ts'
import { createAsk as create } from './create.ts'
import { type AskRow, findAsk } from './find.ts'
import { versionTag } from './ifMatch.ts'
import { listAskRows } from './list.ts'
import { reviseAsk as revise } from './revise.ts'
import { createAsk, getAsk, getAskVersion, listAsks, listAskVersions, reviseAsk } from './routes.ts'
import { findVersion, listVersions } from './versions.ts'
import { toAsk, toAskVersion } from './wire.ts'

export const marketHandlers = [
  serve(createAsk, async (tx, call, { body }) => ({ status: 201 as const, ...answerOf(await create(tx, call, body)) })),

  serve(listAsks, async (tx, { actor, settings }, { query }) => {
    const { active, limit } = query
    const bound = ['asks', actor.agentId, String(active)]
    const before = readCursor(settings, bound, query.cursor)
    const rows = await listAskRows(tx, actor.agentId, { active, before, limit })
    const next_cursor = writeCursor(settings, bound, rows, limit)
    return { status: 200 as const, body: { asks: rows.map(toAsk), next_cursor } }
  }),

  serve(getAsk, async (tx, _call, { params }) => ({
    status: 200 as const,
    ...answerOf(await findAsk(tx, params.urn)),
  })),

  serve(reviseAsk, async (tx, call, { params, body, raw }) => {
    const revision = { changes: body, ifMatch: raw.header('If-Match') }
    return { status: 200 as const, ...answerOf(await revise(tx, call, params.urn, revision)) }
  }),

  serve(listAskVersions, async (tx, { actor, settings }, { params, query }) => {
    const bound = ['ask_versions', actor.agentId ?? actor.humanId, params.urn]
    const before = readCursor(settings, bound, query.cursor)
    const rows = await listVersions(tx, params.urn, { before, limit: query.limit })
    const positions = rows.map(({ version }) => ({ id: String(version) }))
    const next_cursor = writeCursor(settings, bound, positions, query.limit)
    return { status: 200 as const, body: { versions: rows.map(toAskVersion), next_cursor } }
  }),

  serve(getAskVersion, async (tx, _call, { params }) => ({
    status: 200 as const,
    body: toAskVersion(await findVersion(tx, params.urn, params.version)),
  })),
]

function answerOf(ask: AskRow) {
  return { body: toAsk(ask), headers: { ETag: versionTag(ask.version) } }
}
