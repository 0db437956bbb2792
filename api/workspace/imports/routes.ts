import { z } from '@hono/zod-openapi'
import { pageQuery, timestampText } from '../../platform/http/route/schemas.ts'
import { attachmentProblems } from '../attachments/problems.ts'
import { orgRoute } from '../orgRoute.ts'
import { pageProblems } from '../pages/problems.ts'
import { authorText, identity, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'
import { REPORT_KINDS } from './internal/report.ts'
import { importProblems } from './problems.ts'

const importParams = z.object({ ref: refSchema('import') })

const listedImport = z
  .object({
    ...identity,
    space_id: z.uuid(),
    parent_id: z.uuid().nullable().openapi({ description: 'The page that its pages are below.' }),
    attachment_id: z.uuid().nullable().openapi({ description: 'The archive.' }),
    state: z.enum(['running', 'finished', 'failed', 'undone']),
    failure: z.string().nullable().openapi({ description: 'Why it made nothing.' }),
    pages: z.int().openapi({ description: 'How many it made.' }),
    files: z.int().openapi({ description: 'How many it attached.' }),
    report_total: z.int().openapi({ description: 'How many lines its report has. Of many, it keeps the first 500.' }),
    created_by: authorText,
    created_at: timestampText,
    ended_at: timestampText.nullable(),
    undone_at: timestampText.nullable(),
  })
  .openapi('ListedImport')

const imported = z
  .object({
    ...listedImport.shape,
    report: z
      .array(
        z.object({
          kind: z.enum(REPORT_KINDS).openapi({
            description:
              '`link_unresolved`: leads to nothing in the archive and stays as it was written. `links_not_read`: no link of the page was changed. `page_converted`: it was not in UTF-8. `page_kept_as_file`: it is no page, but attached. `file_renamed`: its path was taken.',
          }),
          path: z.string().openapi({ description: 'The file of the archive.' }),
          detail: z.string().openapi({ description: 'The link as it is written, or what happened.' }),
        }),
      )
      .openapi({ description: 'What is to be known of single files and links.' }),
  })
  .openapi('Import')

export const startImport = orgRoute({
  operationId: 'startImport',
  method: 'post',
  path: '/imports',
  group: { name: 'imports', about: 'Workspace: archives of Markdown that become pages.' },
  summary: 'Make pages of a zip archive of Markdown that is an attachment: all of them, or none',
  access: writesWorkspace,
  body: z.object({
    attachment: refSchema('attachment').openapi({ description: 'The archive.' }),
    space: refSchema('space'),
    parent: refSchema('page').optional().openapi({ description: 'The page that the pages go below.' }),
  }),
  answers: { 201: { description: 'The import, which the worker does.', schema: imported } },
  problems: [pageProblems.pageTree, attachmentProblems.attachmentQuarantined, attachmentProblems.attachmentTrashed],
})

export const listImports = orgRoute({
  operationId: 'listImports',
  method: 'get',
  path: '/imports',
  summary: 'List imports, newest first',
  access: readsWorkspace,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of imports.', schema: pageOf(listedImport) } },
})

export const getImport = orgRoute({
  operationId: 'getImport',
  method: 'get',
  path: '/imports/{ref}',
  summary: 'Read how an import stands',
  access: readsWorkspace,
  params: importParams,
  answers: { 200: { description: 'The import.', schema: imported } },
})

export const undoImport = orgRoute({
  operationId: 'undoImport',
  method: 'post',
  path: '/imports/{ref}/undo',
  summary: 'Put what an import made in the trash, all of it, as who began it or as an owner or admin of the org',
  access: writesWorkspace,
  params: importParams,
  body: z.object({
    keep_edited: z.boolean().default(false).openapi({
      description: 'Pages that somebody has written on since stay, and those above them. Without it they are a 409.',
    }),
  }),
  answers: { 200: { description: 'The import, undone.', schema: imported } },
  problems: [importProblems.importStateConflict, importProblems.importEdited],
})
