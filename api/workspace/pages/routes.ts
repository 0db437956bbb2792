import { z } from '@hono/zod-openapi'
import { pageQuery, text, timestampText } from '../../platform/http/route/schemas.ts'
import { orgRoute } from '../orgRoute.ts'
import {
  authorText,
  flag,
  identity,
  numberParam,
  pageOf,
  readsWorkspace,
  refSchema,
  writesWorkspace,
} from '../schemas.ts'
import { pageProblems } from './problems.ts'
import { MAX_PAGE_CHARACTERS, title } from './write.ts'

const pageParams = z.object({ ref: refSchema('page') })
const versionParams = z.object({ ref: refSchema('page'), number: numberParam })
const headers = { ETag: 'The version in double quotes: for If-Match.' }
const ifMatch = {
  'If-Match': 'The ETag of the page as you read it: if it is at another version, 412, nothing is done.',
}
const body = text(MAX_PAGE_CHARACTERS, 0).openapi({
  description:
    '`![[name]]` shows the attachment of that name there; `[[name]]` links to it, or to the page that has that title, or had it.',
})

const page = z
  .object({
    ...identity,
    space_id: z.uuid(),
    parent_id: z.uuid().nullable().openapi({ description: 'The page that it is below.' }),
    title: z.string(),
    version: z.int(),
    published_version: z.int().nullable(),
    published_at: timestampText.nullable(),
    text: z.string(),
    rendered_text: z.string().openapi({
      description: 'The text, with a marker in place of each reference to an attachment that is in the trash or gone.',
    }),
    references: z
      .array(z.object({ name: z.string(), id: z.uuid(), short_id: z.string() }))
      .openapi({ description: 'The pages that names in the text lead to, where the page has no file of that name.' }),
    created_by: authorText,
    created_at: timestampText,
    updated_at: timestampText,
    trashed_at: timestampText.nullable(),
    restorable_until: timestampText.nullable(),
  })
  .openapi('Page')

const item = page.omit({ text: true, rendered_text: true, references: true }).extend({
  former_titles: z
    .array(z.object({ title: z.string(), until: timestampText }))
    .openapi({ description: 'Titles that it had, the newest 20 first. They lead to it where no page has them now.' }),
})
const answers = { 200: { description: 'The page.', schema: page, headers } }

const version = z
  .object({ number: z.int(), title: z.string(), created_by: authorText, created_at: timestampText })
  .openapi('PageVersion')

const diff = z
  .object({
    from: z.int().openapi({ description: '0 for before the first.' }),
    to: z.int(),
    old_title: z.string(),
    new_title: z.string(),
    hunks: z.array(
      z.object({
        from_line: z.int().openapi({ description: 'Of the old text, counted from 1.' }),
        removed: z.array(z.string()),
        added: z.array(z.string()),
      }),
    ),
  })
  .openapi('PageDiff')

const entry = z
  .object({
    ...{ ...identity, page_id: z.uuid(), text: z.string(), created_by: authorText },
    ...{ created_at: timestampText, updated_at: timestampText },
  })
  .openapi('Entry')
const entryText = text(MAX_PAGE_CHARACTERS)
const entryParams = z.object({ ref: refSchema('entry') })
const entryAnswers = { 200: { description: 'The entry.', schema: entry } }

export const createPage = orgRoute({
  operationId: 'createPage',
  method: 'post',
  path: '/pages',
  group: { name: 'pages', about: 'Workspace: what is written down, and entries on it.' },
  summary: 'Write a page',
  access: writesWorkspace,
  body: z.object({
    space: refSchema('space'),
    parent: refSchema('page').optional(),
    title,
    text: body.default(''),
  }),
  answers: { 201: { description: 'The page.', schema: page, headers } },
  problems: [pageProblems.pageTree],
})

export const listPages = orgRoute({
  operationId: 'listPages',
  method: 'get',
  path: '/pages',
  summary: 'List the pages of an org, newest first',
  access: readsWorkspace,
  query: z.object({
    ...pageQuery(200, 50),
    space: refSchema('space').optional(),
    parent: refSchema('page').optional().openapi({ description: 'Those right below this page.' }),
    top: flag.optional().openapi({ description: 'Those below no page.' }),
    trash: flag.optional().openapi({ description: 'The trash instead.' }),
  }),
  answers: { 200: { description: 'Part of the list.', schema: pageOf(item) } },
})

export const getPage = orgRoute({
  operationId: 'getPage',
  method: 'get',
  path: '/pages/{ref}',
  summary: 'Read a page',
  access: readsWorkspace,
  params: pageParams,
  answers,
})

export const editPage = orgRoute({
  operationId: 'editPage',
  method: 'patch',
  path: '/pages/{ref}',
  summary: 'Change the title or the text of a page',
  access: writesWorkspace,
  params: pageParams,
  requestHeaders: {
    'If-Match':
      'The ETag of the page as you read it: the edit is merged with what was written since, or, 412, is not made. Without it the edit replaces what is there.',
  },
  body: z.object({
    title: title.optional(),
    text: body.optional(),
    update_references: z.boolean().default(true).openapi({
      description:
        'Whether a new title is written into the pages that refer to the old one, of those that you may edit. The old one leads to the page still.',
    }),
  }),
  answers,
  problems: [pageProblems.pageConflict, pageProblems.textTooLong],
})

export const trashPage = orgRoute({
  operationId: 'trashPage',
  method: 'delete',
  path: '/pages/{ref}',
  summary: 'Put a page in the trash, with what is below it',
  access: writesWorkspace,
  params: pageParams,
  requestHeaders: ifMatch,
  answers,
  problems: [pageProblems.pageConflict],
})

export const restorePage = orgRoute({
  operationId: 'restorePage',
  method: 'post',
  path: '/pages/{ref}/restore',
  summary: 'Take a page out of the trash, with what went there with it',
  access: writesWorkspace,
  params: pageParams,
  answers,
  problems: [pageProblems.pageNotTrashed],
})

export const movePage = orgRoute({
  operationId: 'movePage',
  method: 'post',
  path: '/pages/{ref}/move',
  summary: 'Move a page and what is below it: below another page, or to the top of a space',
  access: writesWorkspace,
  params: pageParams,
  requestHeaders: ifMatch,
  body: z
    .object({
      space: refSchema('space').optional(),
      parent: refSchema('page').nullable().optional().openapi({ description: 'Null for the top of the space.' }),
    })
    .openapi({ description: 'One of both, at least.' }),
  answers,
  problems: [pageProblems.pageTree, pageProblems.pageConflict],
})

export const publishPage = orgRoute({
  operationId: 'publishPage',
  method: 'post',
  path: '/pages/{ref}/publish',
  summary: 'Make the current version of a page the published one',
  access: writesWorkspace,
  params: pageParams,
  requestHeaders: ifMatch,
  answers,
  problems: [pageProblems.pageConflict],
})

export const listPageVersions = orgRoute({
  operationId: 'listPageVersions',
  method: 'get',
  path: '/pages/{ref}/versions',
  summary: 'List the versions of a page, newest first',
  access: readsWorkspace,
  params: pageParams,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of versions.', schema: pageOf(version) } },
})

export const getPageVersion = orgRoute({
  operationId: 'getPageVersion',
  method: 'get',
  path: '/pages/{ref}/versions/{number}',
  summary: 'Read what a page said',
  access: readsWorkspace,
  params: versionParams,
  answers: { 200: { description: 'The version.', schema: version.extend({ text: z.string() }).openapi('PageText') } },
})

export const diffPageVersions = orgRoute({
  operationId: 'diffPageVersions',
  method: 'get',
  path: '/pages/{ref}/versions/{number}/diff',
  summary: 'Read what changed in a version of a page, line by line',
  access: readsWorkspace,
  params: versionParams,
  query: z.object({
    from: numberParam.optional().openapi({ description: 'Since which version; without it, the one before.' }),
  }),
  answers: { 200: { description: 'What changed.', schema: diff } },
})

export const restorePageVersion = orgRoute({
  operationId: 'restorePageVersion',
  method: 'post',
  path: '/pages/{ref}/versions/{number}/restore',
  summary: 'Write what a page said again, its title too, as its next version',
  access: writesWorkspace,
  params: versionParams,
  requestHeaders: ifMatch,
  answers,
  problems: [pageProblems.pageConflict],
})

export const setPagePresence = orgRoute({
  operationId: 'setPagePresence',
  method: 'put',
  path: '/pages/{ref}/presence',
  summary: 'Say that you have a page open, and read who else has',
  access: writesWorkspace,
  ignoresKeys: true,
  params: pageParams,
  body: z.object({ is_editing: z.boolean() }),
  answers: {
    200: {
      description: 'Who else has it open, by name, at most 50.',
      schema: z
        .object({
          expires_at: timestampText.openapi({ description: 'Until when you have it open: say so again before.' }),
          others: z.array(z.object({ account: authorText, display_name: z.string(), is_editing: z.boolean() })),
        })
        .openapi('PagePresence'),
    },
  },
})

export const endPagePresence = orgRoute({
  operationId: 'endPagePresence',
  method: 'delete',
  path: '/pages/{ref}/presence',
  summary: 'Say that you no longer have a page open',
  access: writesWorkspace,
  ignoresKeys: true,
  params: pageParams,
  answers: { 204: { description: 'Others no longer see you there.' } },
})

export const createEntry = orgRoute({
  operationId: 'createEntry',
  method: 'post',
  path: '/pages/{ref}/entries',
  summary: 'Add an entry to a page',
  access: writesWorkspace,
  params: pageParams,
  body: z.object({ text: entryText }),
  answers: { 201: { description: 'The entry.', schema: entry } },
})

export const listEntries = orgRoute({
  operationId: 'listEntries',
  method: 'get',
  path: '/pages/{ref}/entries',
  summary: 'List the entries of a page, newest first',
  access: readsWorkspace,
  params: pageParams,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of entries.', schema: pageOf(entry) } },
})

export const getEntry = orgRoute({
  operationId: 'getEntry',
  method: 'get',
  path: '/entries/{ref}',
  summary: 'Read an entry of a page',
  access: readsWorkspace,
  params: entryParams,
  answers: entryAnswers,
})

export const editEntry = orgRoute({
  operationId: 'editEntry',
  method: 'patch',
  path: '/entries/{ref}',
  summary: 'Write an entry of yours anew',
  access: writesWorkspace,
  params: entryParams,
  body: z.object({ text: entryText }),
  answers: entryAnswers,
})

export const deleteEntry = orgRoute({
  operationId: 'deleteEntry',
  method: 'delete',
  path: '/entries/{ref}',
  summary: 'Delete an entry for good; its files stay on the page',
  access: writesWorkspace,
  params: entryParams,
  answers: { 204: { description: 'It is gone.' } },
})
