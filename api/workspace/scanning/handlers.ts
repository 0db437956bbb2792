import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { deleteFile, listInfected, releaseFile, rescanFile, toScannedFile } from './operate.ts'
import * as routes from './routes.ts'

export const quarantineHandlers = [
  serve(routes.listQuarantine, async (tx, { actor, settings }, { query }) => {
    const { rows, next_cursor } = await readPage(settings, ['quarantine', actor.humanId], query, (page) =>
      listInfected(tx, page),
    )
    return { status: 200, body: { items: rows.map(toScannedFile), next_cursor } }
  }),

  serve(routes.releaseQuarantined, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toScannedFile(await releaseFile(tx, actor, params.id)),
  })),

  serve(routes.rescanQuarantined, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toScannedFile(await rescanFile(tx, actor, params.id)),
  })),

  serve(routes.deleteQuarantined, async (tx, { actor }, { params }) => ({
    status: 200,
    body: toScannedFile(await deleteFile(tx, actor, params.id)),
  })),
]
