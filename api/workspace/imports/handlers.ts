import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { requireMember } from '../membership.ts'
import { findImport, listImportRows, toImport } from './find.ts'
import * as routes from './routes.ts'
import { startImport } from './start.ts'
import { undoImport } from './undo.ts'

export const importHandlers = [
  serve(routes.startImport, async (tx, { actor, settings }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 201, body: toImport(await startImport(tx, settings, member, body)) }
  }),

  serve(routes.listImports, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const bound = ['imports', actor.humanId, member.orgId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (part) => listImportRows(tx, member, part))
    return { status: 200, body: { items: rows.map(toImport), next_cursor } }
  }),

  serve(routes.getImport, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toImport(await findImport(tx, member, params.ref)) }
  }),

  serve(routes.undoImport, async (tx, { actor, settings }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toImport(await undoImport(tx, settings.rules, member, params.ref, body.keep_edited)) }
  }),
]
