import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { pageQuery, text, timestampText } from '../../platform/http/route/schemas.ts'
import { attachmentProblems } from '../attachments/problems.ts'
import { orgRoute } from '../orgRoute.ts'
import { authorText, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'
import { confirmationProblems } from './problems.ts'

const QUESTION_CHARACTERS = 500
const MIN_SECONDS = 60
const DAY_SECONDS = 86_400
const MAX_DAYS = 7

const params = z.object({
  id: z.uuid().openapi({ description: 'Id of the question.', example: '01890000-0000-7000-8000-000000000000' }),
})

const state = z.enum(['pending', 'confirmed', 'declined', 'expired'])

const confirmation = z
  .object({
    id: z.uuid(),
    question: z.string(),
    secret_id: z
      .uuid()
      .nullable()
      .openapi({ description: 'The secret that is revealed to the agent once, if it is confirmed.' }),
    asked_by: authorText,
    state,
    created_at: timestampText,
    expires_at: timestampText,
    answered_at: timestampText.nullable(),
  })
  .openapi('Confirmation')

export const askConfirmation = orgRoute({
  operationId: 'askConfirmation',
  method: 'post',
  path: '/confirmations',
  group: { name: 'confirmations', about: 'Workspace: what agents ask their humans.' },
  summary: 'As an agent, ask your human whether you may; they are told until they answer or it is over',
  access: { scope: 'transact', as: 'agent' },
  body: z.object({
    question: text(QUESTION_CHARACTERS),
    secret: refSchema('secret').optional().openapi({ description: 'The secret that is to be revealed to you, once.' }),
    expires_in_seconds: z
      .int()
      .min(MIN_SECONDS)
      .max(MAX_DAYS * DAY_SECONDS)
      .default(DAY_SECONDS),
  }),
  answers: { 201: { description: 'The question.', schema: confirmation } },
})

export const listConfirmations = orgRoute({
  operationId: 'listConfirmations',
  method: 'get',
  path: '/confirmations',
  summary: 'List the questions that you asked, as an agent, or are asked, newest first',
  access: readsWorkspace,
  query: z.object({ ...pageQuery(200, 50), state: state.optional() }),
  answers: { 200: { description: 'A page of questions.', schema: pageOf(confirmation) } },
})

export const getConfirmation = orgRoute({
  operationId: 'getConfirmation',
  method: 'get',
  path: '/confirmations/{id}',
  summary: 'Read a question that you asked, or are asked, and its answer',
  access: readsWorkspace,
  params,
  answers: { 200: { description: 'The question.', schema: confirmation } },
})

export const answerConfirmation = orgRoute({
  operationId: 'answerConfirmation',
  method: 'post',
  path: '/confirmations/{id}/answer',
  summary: 'Answer a question of an agent of yours, as its human',
  access: writesWorkspace,
  params,
  body: z.object({ answer: z.enum(['confirmed', 'declined']) }),
  answers: { 200: { description: 'The question, answered.', schema: confirmation } },
  problems: [groundProblems.reAuthRequired, attachmentProblems.humansOnly, confirmationProblems.confirmationClosed],
})
