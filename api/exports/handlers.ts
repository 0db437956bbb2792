import { readInput } from '../http/input.ts'
import { readPage } from '../http/pagination.ts'
import { type Input, type ServedRoute, serve } from '../http/serve.ts'
import { readVersion } from '../http/version.ts'
import { fileResponse } from './file.ts'
import { findExport, linkExport, listExportRows, openLink, toExport } from './find.ts'
import { requestExport as request } from './request.ts'
import { downloadExport, getExport, getExportFile, listExports, requestExport } from './routes.ts'

/** Answers with bytes as they come, which no verb does. */
const exportFile: ServedRoute = {
  route: getExportFile,
  respond: async ({ db, settings }, context) => {
    context.set('operationId', getExportFile.operationId)
    const version = readVersion(getExportFile, context)
    const { params, query } = (await readInput(getExportFile, version, context)) as Input<typeof getExportFile>
    return fileResponse(db, settings, await openLink(db, settings, params.urn, query))
  },
}

export const exportHandlers: ServedRoute[] = [
  serve(requestExport, async (tx, { actor }) => ({ status: 202, body: toExport(await request(tx, actor)) })),

  serve(listExports, async (tx, { actor, settings }, { query }) => {
    const bound = ['exports', actor.humanId]
    const { rows, next_cursor } = await readPage(settings, bound, query, ({ from, limit }) =>
      listExportRows(tx, actor, { before: from, limit }),
    )
    return { status: 200, body: { exports: rows.map(toExport), next_cursor } }
  }),

  serve(getExport, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toExport(await findExport(tx, actor, params.urn)),
  })),

  serve(downloadExport, async (tx, { actor, settings }, { params }) => ({
    status: 302,
    headers: { Location: await linkExport(tx, settings, actor, params.urn) },
    body: undefined,
  })),

  exportFile,
]
