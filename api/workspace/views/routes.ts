import { z } from '@hono/zod-openapi'
import { nameText, pageQuery, timestampText } from '../../platform/http/route/schemas.ts'
import { orgRoute } from '../orgRoute.ts'
import { authorText, identity, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'

const NAME_CHARACTERS = 60
const QUERY_CHARACTERS = 500
const EXAMPLE_QUERY = 'view=board&assignee=me'

const view = z
  .object({
    ...identity,
    name: z.string(),
    query: z.string().openapi({
      description:
        'What the console’s page of tasks shows: `view`, `sort`, and its filters, as in the address of the page.',
      example: EXAMPLE_QUERY,
    }),
    may: z.array(z.enum(['delete'])).openapi({ description: 'What you may do with it.' }),
    created_by: authorText,
    created_at: timestampText,
  })
  .openapi('View')

export const createView = orgRoute({
  operationId: 'createView',
  method: 'post',
  path: '/views',
  group: { name: 'views', about: 'Workspace: saved views of the tasks of an org.' },
  summary: 'Save a view of the tasks of an org under a name, for all members',
  access: writesWorkspace,
  body: z.object({
    name: nameText(NAME_CHARACTERS),
    query: z
      .string()
      .max(QUERY_CHARACTERS)
      .regex(/^[\w.~%+=&:*-]*$/, 'must be the query of an address, encoded: view=board&label=two%20words')
      .openapi({ example: EXAMPLE_QUERY }),
  }),
  answers: { 201: { description: 'The view.', schema: view } },
})

export const listViews = orgRoute({
  operationId: 'listViews',
  method: 'get',
  path: '/views',
  summary: 'List the saved views of an org, newest first',
  access: readsWorkspace,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of views.', schema: pageOf(view) } },
})

export const deleteView = orgRoute({
  operationId: 'deleteView',
  method: 'delete',
  path: '/views/{ref}',
  summary: 'Delete a saved view: whoever saved it may, and the owners and admins of the org',
  access: writesWorkspace,
  params: z.object({ ref: refSchema('view') }),
  answers: { 204: { description: 'It is gone.' } },
})
