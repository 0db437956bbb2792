import { serveMember } from '../serveMember.ts'
import { findImport, listImportRows, toImport, toListedImport } from './internal/find.ts'
import { startImport } from './internal/start.ts'
import { undoImport } from './internal/undo.ts'
import * as routes from './routes.ts'

export const importHandlers = [
  serveMember(routes.startImport, async (tx, { member, settings }, { body }) => ({
    status: 201,
    body: toImport(await startImport(tx, settings, member, body)),
  })),

  serveMember(routes.listImports, async (tx, { member }, { list }) => ({
    status: 200,
    body: await list.read((part) => listImportRows(tx, member, part), toListedImport),
  })),

  serveMember(routes.getImport, async (tx, { member }, { params }) => ({
    status: 200,
    body: toImport(await findImport(tx, member, params.ref)),
  })),

  serveMember(routes.undoImport, async (tx, { member, settings }, { params, body }) => ({
    status: 200,
    body: toImport(await undoImport(tx, settings.rules, member, params.ref, body.keep_edited)),
  })),
]
