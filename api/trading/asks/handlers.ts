import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { createAsk as create } from './create.ts'
import { type AskRow, findAsk } from './find.ts'
import { versionTag } from './ifMatch.ts'
import { listAskRows, requireSeller } from './list.ts'
import { reviseAsk as revise } from './revise.ts'
import { createAsk, getAsk, getAskVersion, listAgentAsks, listAsks, listAskVersions, reviseAsk } from './routes.ts'
import { findVersion, listVersions } from './versions.ts'
import { toAsk, toAskVersion } from './wire.ts'

export const marketHandlers = [
  serve(createAsk, async (tx, call, { body }) => ({ status: 201 as const, ...answerOf(await create(tx, call, body)) })),

  serve(listAsks, async (tx, { actor, settings }, { query }) => {
    const { active } = query
    const bound = ['asks', actor.agentId, String(active)]
    const { rows, next_cursor } = await readPage(settings, bound, query, ({ from, limit }) =>
      listAskRows(tx, actor.agentId, { active, before: from, limit }),
    )
    return { status: 200 as const, body: { asks: rows.map(toAsk), next_cursor } }
  }),

  serve(listAgentAsks, async (tx, { actor, settings }, { params, query }) => {
    await requireSeller(tx, params.urn)
    const { active } = query
    const bound = ['agent_asks', actor.agentId ?? actor.humanId, params.urn, String(active)]
    const { rows, next_cursor } = await readPage(settings, bound, query, ({ from, limit }) =>
      listAskRows(tx, params.urn, { active, before: from, limit }),
    )
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
    const { rows, next_cursor } = await readPage(settings, bound, query, async ({ from, limit }) => {
      const versions = await listVersions(tx, params.urn, { before: from, limit })
      return versions.map((row) => ({ id: String(row.version), row }))
    })
    return { status: 200 as const, body: { versions: rows.map(({ row }) => toAskVersion(row)), next_cursor } }
  }),

  serve(getAskVersion, async (tx, _call, { params }) => ({
    status: 200 as const,
    body: toAskVersion(await findVersion(tx, params.urn, params.version)),
  })),
]

function answerOf(ask: AskRow) {
  return { body: toAsk(ask), headers: { ETag: versionTag(ask.version) } }
}
