import { serve } from '../../platform/http/serve/serve.ts'
import { deleteFile, listInfected, releaseFile, rescanFile, toScannedFile } from './internal/operate.ts'
import * as routes from './routes.ts'

export const quarantineHandlers = [
  serve(routes.listQuarantine, async (tx, _call, { list }) => ({
    status: 200,
    body: await list.read((page) => listInfected(tx, page), toScannedFile),
  })),

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
