import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route.ts'
import { pageQuery } from '../../platform/http/schemas.ts'
import { attachment } from '../attachments/routes.ts'
import { orgParam, pageOf, readsWorkspace } from '../schemas.ts'

const MAX_QUERY_CHARACTERS = 200

const hit = z
  .object({
    type: z.literal('attachment'),
    attachment,
    snippet: z.string().openapi({ description: 'Where it says so.' }),
    offset: z.int().openapi({
      description: 'The first character of the passage with the words, for reading its text from there.',
    }),
  })
  .openapi('SearchHit')

export const searchWorkspace = defineRoute({
  operationId: 'searchWorkspace',
  method: 'get',
  path: '/orgs/{org}/search',
  summary: 'Find attachments of an org by the words of their text, newest first',
  isWorkspace: true,
  access: readsWorkspace,
  params: z.object({ org: orgParam }),
  query: z.object({
    ...pageQuery(50, 20),
    q: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS).openapi({
      description: 'Words; "a phrase"; -without; this or that. They are looked for in passages of 50,000 characters.',
      example: 'verse -prose',
    }),
  }),
  answers: { 200: { description: 'What has the words, and which of it.', schema: pageOf(hit) } },
  problems: ['search/timed-out'],
})
