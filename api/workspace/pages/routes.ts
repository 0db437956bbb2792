import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route.ts'
import { pageQuery, text, timestampText } from '../../platform/http/schemas.ts'
import { authorText, identity, orgParam, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'
import { MAX_PAGE_CHARACTERS } from './limits.ts'

const TITLE_CHARACTERS = 200

const params = z.object({ org: orgParam })
const pageParams = z.object({ org: orgParam, ref: refSchema('page') })
const body = text(MAX_PAGE_CHARACTERS, 0).openapi({
  description: '`![[name]]` shows the attachment of that name there, and `[[name]]` links to it.',
})

const page = z
  .object({
    ...identity,
    space_id: z.uuid(),
    title: z.string(),
    text: z.string(),
    rendered_text: z.string().openapi({
      description: 'The text, with a marker in place of each reference to an attachment that is in the trash or gone.',
    }),
    created_by: authorText,
    created_at: timestampText,
    updated_at: timestampText,
  })
  .openapi('Page')

const entry = z
  .object({ ...identity, page_id: z.uuid(), text: z.string(), created_by: authorText, created_at: timestampText })
  .openapi('Entry')

export const createPage = defineRoute({
  operationId: 'createPage',
  method: 'post',
  path: '/orgs/{org}/pages',
  summary: 'Write a page',
  isWorkspace: true,
  access: writesWorkspace,
  params,
  body: z.object({ space: refSchema('space'), title: text(TITLE_CHARACTERS), text: body.default('') }),
  answers: { 201: { description: 'The page.', schema: page } },
})

export const listPages = defineRoute({
  operationId: 'listPages',
  method: 'get',
  path: '/orgs/{org}/pages',
  summary: 'List the pages of an org, newest first',
  isWorkspace: true,
  access: readsWorkspace,
  params,
  query: z.object({ ...pageQuery(200, 50), space: refSchema('space').optional() }),
  answers: { 200: { description: 'A page of pages.', schema: pageOf(page.omit({ text: true, rendered_text: true })) } },
})

export const getPage = defineRoute({
  operationId: 'getPage',
  method: 'get',
  path: '/orgs/{org}/pages/{ref}',
  summary: 'Read a page',
  isWorkspace: true,
  access: readsWorkspace,
  params: pageParams,
  answers: { 200: { description: 'The page.', schema: page } },
})

export const editPage = defineRoute({
  operationId: 'editPage',
  method: 'patch',
  path: '/orgs/{org}/pages/{ref}',
  summary: 'Change the title or the text of a page',
  isWorkspace: true,
  access: writesWorkspace,
  params: pageParams,
  body: z.object({ title: text(TITLE_CHARACTERS).optional(), text: body.optional() }),
  answers: { 200: { description: 'The page.', schema: page } },
})

export const createEntry = defineRoute({
  operationId: 'createEntry',
  method: 'post',
  path: '/orgs/{org}/pages/{ref}/entries',
  summary: 'Add an entry to a page',
  isWorkspace: true,
  access: writesWorkspace,
  params: pageParams,
  body: z.object({ text: text(MAX_PAGE_CHARACTERS) }),
  answers: { 201: { description: 'The entry.', schema: entry } },
})

export const listEntries = defineRoute({
  operationId: 'listEntries',
  method: 'get',
  path: '/orgs/{org}/pages/{ref}/entries',
  summary: 'List the entries of a page, newest first',
  isWorkspace: true,
  access: readsWorkspace,
  params: pageParams,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of entries.', schema: pageOf(entry) } },
})
