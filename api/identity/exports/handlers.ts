import { receive } from '../../platform/http/serve/receive.ts'
import { type ServedRoute, serve } from '../../platform/http/serve/serve.ts'
import { untransformed } from '../../platform/http/serve/untransformed.ts'
import { exportHeaders, exportStream } from './internal/file.ts'
import { type ExportRow, findExport, linkExport, listExportRows, openLink, toExport } from './internal/find.ts'
import { requestExport as request } from './internal/request.ts'
import { downloadExport, getExport, getExportFile, listExports, requestExport } from './routes.ts'

/** Streams the bytes of the file, because verbs do not stream. */
const exportFile: ServedRoute = {
  route: getExportFile,
  respond: async (services, context) => {
    const { db, settings } = services
    const { input } = await receive(services, getExportFile, context)
    const row = await openLink(db, settings, input.params.urn, input.query)
    return context.body(exportStream(db, settings, row), 200, untransformed(exportHeaders(row)))
  },
}

/** The routes of exports. `sections` is the number of sections of an export. */
export function exportHandlers(sections: number): ServedRoute[] {
  const toWire = (row: ExportRow) => toExport(row, sections)
  return [
    serve(requestExport, async (tx, { actor }) => ({ status: 202, body: toWire(await request(tx, actor)) })),

    serve(listExports, async (tx, { actor }, { list }) => {
      const { items: exports, next_cursor } = await list.read(
        ({ from, limit }) => listExportRows(tx, actor, { before: from, limit }),
        toWire,
      )
      return { status: 200, body: { exports, next_cursor } }
    }),

    serve(getExport, async (tx, { actor }, { params }) => ({
      status: 200,
      body: toWire(await findExport(tx, actor, params.urn)),
    })),

    serve(downloadExport, async (tx, { actor, settings }, { params }) => ({
      status: 302,
      headers: { Location: await linkExport(tx, settings, actor, params.urn) },
      body: undefined,
    })),

    exportFile,
  ]
}
