import { z } from '@hono/zod-openapi'
import { nameText, pageQuery, text, timestampText } from '../../platform/http/route/schemas.ts'
import { orgRoute } from '../orgRoute.ts'
import { authorText, flag, identity, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'
import { decisionProblems } from './problems.ts'

const TITLE_CHARACTERS = 200
const TEXT_CHARACTERS = 20_000

const decisionParams = z.object({ ref: refSchema('decision') })

const decision = z
  .object({
    ...identity,
    space_id: z.uuid(),
    page_id: z.uuid().nullable(),
    task_id: z.uuid().nullable(),
    title: z.string(),
    text: z.string(),
    supersedes: z.uuid().nullable().openapi({ description: 'The decision that it takes the place of.' }),
    superseded_by: z.uuid().nullable().openapi({ description: 'The decision that took its place.' }),
    created_by: authorText,
    created_at: timestampText,
  })
  .openapi('Decision')

export const recordDecision = orgRoute({
  operationId: 'recordDecision',
  method: 'post',
  path: '/decisions',
  group: { name: 'decisions', about: 'Workspace: what was decided, and why.' },
  summary: 'Record what was decided, and why. It stays as it is; a later decision takes its place',
  access: writesWorkspace,
  body: z.object({
    space: refSchema('space'),
    page: refSchema('page').optional().openapi({ description: 'The page that it is about.' }),
    task: refSchema('task').optional().openapi({ description: 'The task that it is about.' }),
    supersedes: refSchema('decision').optional(),
    title: nameText(TITLE_CHARACTERS),
    text: text(TEXT_CHARACTERS, 0).default('').openapi({ description: 'Markdown.' }),
  }),
  answers: { 201: { description: 'The decision.', schema: decision } },
  problems: [decisionProblems.decisionSuperseded],
})

export const listDecisions = orgRoute({
  operationId: 'listDecisions',
  method: 'get',
  path: '/decisions',
  summary: 'List decisions, newest first',
  access: readsWorkspace,
  query: z.object({
    ...pageQuery(200, 50),
    space: refSchema('space').optional(),
    page: refSchema('page').optional(),
    task: refSchema('task').optional(),
    superseded: flag.optional().openapi({ description: 'false: those that stand.' }),
  }),
  answers: { 200: { description: 'A page of decisions.', schema: pageOf(decision) } },
})

export const getDecision = orgRoute({
  operationId: 'getDecision',
  method: 'get',
  path: '/decisions/{ref}',
  summary: 'Read a decision',
  access: readsWorkspace,
  params: decisionParams,
  answers: { 200: { description: 'The decision.', schema: decision } },
})
