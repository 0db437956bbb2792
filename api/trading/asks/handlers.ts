import { readingAgents } from '../../identity/accounts/owner.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { versionTag } from '../../platform/http/serve/versionTags.ts'
import { type AskRow, findAsk } from './find.ts'
import { createAsk as create } from './internal/create.ts'
import { listAskRows, requireSeller } from './internal/list.ts'
import { reviseAsk as revise } from './internal/revise.ts'
import { findVersion, listVersions } from './internal/versions.ts'
import { createAsk, getAsk, getAskVersion, listAgentAsks, listAsks, listAskVersions, reviseAsk } from './routes.ts'
import { toAsk, toAskVersion } from './wire.ts'

export const marketHandlers = [
  serve(createAsk, async (tx, call, { body }) => ({ status: 201 as const, ...answerOf(await create(tx, call, body)) })),

  serve(listAsks, async (tx, { actor }, { query, list }) => {
    const { active } = query
    const own = await readingAgents(tx, actor)
    const { items: asks, next_cursor } = await list.read(
      ({ from, limit }) => listAskRows(tx, own, { active, before: from, limit }),
      toAsk,
    )
    return { status: 200, body: { asks, next_cursor } }
  }),

  serve(listAgentAsks, async (tx, _call, { params, query, list }) => {
    await requireSeller(tx, params.urn)
    const { active } = query
    const { items: asks, next_cursor } = await list.read(
      ({ from, limit }) => listAskRows(tx, [params.urn], { active, before: from, limit }),
      toAsk,
    )
    return { status: 200, body: { asks, next_cursor } }
  }),

  serve(getAsk, async (tx, _call, { params }) => ({
    status: 200 as const,
    ...answerOf(await findAsk(tx, params.urn)),
  })),

  serve(reviseAsk, async (tx, call, { params, body, raw }) => {
    const revision = { changes: body, ifMatch: raw.header('If-Match') }
    return { status: 200 as const, ...answerOf(await revise(tx, call, params.urn, revision)) }
  }),

  serve(listAskVersions, async (tx, _call, { params, list }) => {
    const { items: versions, next_cursor } = await list.read(
      async ({ from, limit }) => {
        const versions = await listVersions(tx, params.urn, { before: from, limit })
        return versions.map((row) => ({ id: String(row.version), row }))
      },
      ({ row }) => toAskVersion(row),
    )
    return { status: 200, body: { versions, next_cursor } }
  }),

  serve(getAskVersion, async (tx, _call, { params }) => ({
    status: 200 as const,
    body: toAskVersion(await findVersion(tx, params.urn, params.version)),
  })),
]

function answerOf(ask: AskRow) {
  return { body: toAsk(ask), headers: { ETag: versionTag(ask.version) } }
}
