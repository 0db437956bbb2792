import { z } from '@hono/zod-openapi'
import { pageQuery, timestampText } from '../../platform/http/route/schemas.ts'
import { searchProblems } from '../../trading/search/problems.ts'
import { orgRoute } from '../orgRoute.ts'
import { authorText, identity, pageOf, readsWorkspace, refSchema } from '../schemas.ts'

const MAX_QUERY_CHARACTERS = 200
const TYPES = ['page', 'entry', 'task', 'comment', 'attachment'] as const

const hit = z
  .object({
    type: z.enum(TYPES),
    ...identity,
    title: z.string().openapi({ description: 'Its title or file name; else that of the page or task that it is on.' }),
    url: z.string(),
    space_id: z.uuid(),
    page_id: z.uuid().nullable().openapi({ description: 'The page that it is, or is on.' }),
    task_id: z.uuid().nullable().openapi({ description: 'The task that it is, or is on.' }),
    snippet: z.string().openapi({
      description: 'Where it says so: plain text as people wrote it, to be escaped before it is put into HTML.',
    }),
    offset: z.int().nullable().openapi({
      description:
        'Of an attachment: the first character of the passage with the words, for reading its text from there. Null where its name alone has them.',
    }),
    created_by: authorText,
    created_at: timestampText,
  })
  .openapi('SearchHit')

export const searchWorkspace = orgRoute({
  operationId: 'searchWorkspace',
  method: 'get',
  path: '/search',
  group: { name: 'search' },
  summary: 'Find pages, entries, tasks, comments and attachments of an org by their words, best first',
  access: readsWorkspace,
  query: z.object({
    ...pageQuery(50, 20),
    q: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS).openapi({
      description:
        'Words; "a phrase"; -without; this or that. The newest 500 with the words are ranked, and as many texts of attachments. Attachments are found by their names and by their texts, which are searched in passages of 50,000 characters.',
      example: 'verse -prose',
    }),
    type: z.enum(TYPES).optional().openapi({ description: 'Only these.' }),
    space: refSchema('space').optional().openapi({ description: 'Only what is in this space.' }),
  }),
  answers: {
    200: {
      description: 'What has the words, the best first. Where nothing has them, misspelt words are corrected.',
      schema: pageOf(hit).extend({
        corrected_query: z.string().nullable().openapi({ description: 'What was searched for, where it was not q.' }),
      }),
    },
  },
  problems: [searchProblems.timedOut],
})
