import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  accountParam,
  accountSchema,
  asName,
  dayText,
  nameText,
  pageQuery,
  text,
  timestampText,
  urnObject,
  urnParam,
} from '../../platform/http/route/schemas.ts'
import { bidProblems } from '../../trading/bids/problems.ts'
import { createBid } from '../../trading/bids/routes.ts'
import { orgAgentProblems } from '../agents/problems.ts'
import { attachment } from '../attachments/routes.ts'
import { orgRoute } from '../orgRoute.ts'
import { authorText, flag, identity, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'
import { TASK_ACTIONS } from './internal/guards.ts'
import { taskProblems } from './problems.ts'

const TITLE_CHARACTERS = 200
const TEXT_CHARACTERS = 20_000
const MAX_LEASE_SECONDS = 604_800
const LABEL_CHARACTERS = 40
const MAX_LABELS = 10
const PRIORITIES = ['urgent', 'high', 'medium', 'low', 'none'] as const
const ORDERS = ['newest', 'position'] as const
const STATES = ['open', 'offered', 'claimed', 'submitted', 'approved', 'rejected', 'archived'] as const

const taskParams = z.object({ ref: refSchema('task') })
const fileParams = z.object({ ref: refSchema('task'), attachment: refSchema('attachment') })

const label = nameText(LABEL_CHARACTERS)
const due = dayText.nullable().openapi({ description: 'The day by which it is to be done.' })
const priority = z.enum(PRIORITIES)

/** The plan of a task in a request. */
const plan = {
  assignee: accountSchema.nullable().optional(),
  due_on: due.optional(),
  labels: z.array(label).max(MAX_LABELS).optional(),
  priority: priority.optional(),
}

const item = z.object({
  ...identity,
  space_id: z.uuid(),
  page_id: z.uuid().nullable().openapi({ description: 'The page that it is about.' }),
  title: z.string(),
  text: z.string(),
  state: z.enum(STATES),
  may: z.array(z.enum(TASK_ACTIONS)).openapi({
    description: 'What you may do with it now, what comes next first. To renew a claim is to claim again.',
  }),
  claimed_by: authorText.nullable().openapi({ description: 'Who does it, or did.' }),
  lease_until: timestampText.nullable().openapi({ description: 'When a claim ends, unless it is renewed.' }),
  result: z.string().nullable().openapi({ description: 'What was handed in.' }),
  reason: z.string().nullable().openapi({ description: 'Why it was rejected.' }),
  assignee: authorText
    .nullable()
    .openapi({ description: 'Who is to do it, as the org plans. A seller does not see the plan.' }),
  due_on: due,
  labels: z.array(z.string()),
  priority,
  bid_urn: urnObject('bid').nullable().openapi({ description: 'The bid that offers it on the market.' }),
  order_urn: urnObject('order').nullable().openapi({ description: 'The order that it is done for.' }),
  created_by: authorText,
  created_at: timestampText,
  updated_at: timestampText,
})
const task = item.extend({ files: z.array(attachment) }).openapi('Task')
const answers = { 200: { description: 'The task.', schema: task } }
const conflicts = [taskProblems.taskStateConflict, taskProblems.taskOfOrder] as const

export const createTask = orgRoute({
  operationId: 'createTask',
  method: 'post',
  path: '/tasks',
  group: { name: 'tasks', about: 'Workspace: what is to be done, by members, or by sellers on the market.' },
  summary: 'File a task in a space',
  access: writesWorkspace,
  body: z.object({
    space: refSchema('space'),
    page: refSchema('page').optional(),
    title: nameText(TITLE_CHARACTERS),
    text: text(TEXT_CHARACTERS, 0).default(''),
    ...plan,
  }),
  answers: { 201: { description: 'The task.', schema: task } },
})

export const listTasks = orgRoute({
  operationId: 'listTasks',
  method: 'get',
  path: '/tasks',
  summary: 'List the tasks of an org, newest first, or in the order that its members give them',
  access: readsWorkspace,
  query: z.object({
    ...pageQuery(200, 50),
    space: refSchema('space').optional(),
    state: z.enum(STATES).optional(),
    archived: flag.optional().openapi({ description: 'Only tasks that are archived, or that are not.' }),
    assignee: accountParam.optional(),
    label: asName(text(LABEL_CHARACTERS)).optional(),
    priority: priority.optional(),
    due_by: dayText.optional().openapi({ description: 'Only tasks that are due on this day or before.' }),
    order: z.enum(ORDERS).default('newest'),
  }),
  answers: { 200: { description: 'A page of tasks.', schema: pageOf(item.openapi('TaskItem')) } },
})

export const getTask = orgRoute({
  operationId: 'getTask',
  method: 'get',
  path: '/tasks/{ref}',
  summary: 'Read a task: as a member, or as the seller of the order that it is done for, while that runs',
  access: readsWorkspace,
  caller: 'taskReader',
  params: taskParams,
  answers,
})

export const getOrderTask = defineRoute({
  operationId: 'getOrderTask',
  method: 'get',
  path: '/v1/orders/{urn}/task',
  summary:
    'Read the task of an org that an order is placed for: as its seller while it runs, or as a member of the org',
  access: readsWorkspace,
  params: z.object({ urn: urnParam('order') }),
  answers: {
    200: {
      description: 'The task, and the org that it is in: its address there is /orgs/{org}/tasks/{short_id}.',
      schema: z.object({ org: z.string().openapi({ example: 'verse-works' }), task }).openapi('OrderTask'),
    },
  },
  problems: [groundProblems.notFound, orgAgentProblems.agentShutOut],
})

export const updateTask = orgRoute({
  operationId: 'updateTask',
  method: 'patch',
  path: '/tasks/{ref}',
  summary: 'Change what is to be done, plan it, or move it in the order of the org',
  access: writesWorkspace,
  params: taskParams,
  body: z.object({
    title: nameText(TITLE_CHARACTERS).optional(),
    text: text(TEXT_CHARACTERS, 0).optional(),
    page: refSchema('page').nullable().optional(),
    after: refSchema('task')
      .nullable()
      .optional()
      .openapi({ description: 'Moves it directly below this task in the order of the org, or to the top with null.' }),
    ...plan,
  }),
  answers,
  problems: conflicts,
})

export const addTaskFile = orgRoute({
  operationId: 'addTaskFile',
  method: 'put',
  path: '/tasks/{ref}/files/{attachment}',
  summary: 'Add an attachment to a task as it is now: the seller of its order may read that version too',
  access: writesWorkspace,
  params: fileParams,
  answers,
})

export const removeTaskFile = orgRoute({
  operationId: 'removeTaskFile',
  method: 'delete',
  path: '/tasks/{ref}/files/{attachment}',
  summary: 'Take an attachment off a task; it stays on its page',
  access: writesWorkspace,
  params: fileParams,
  answers,
})

export const claimTask = orgRoute({
  operationId: 'claimTask',
  method: 'post',
  path: '/tasks/{ref}/claim',
  summary: 'Claim a task for a time, or renew your claim',
  access: writesWorkspace,
  params: taskParams,
  body: z.object({ lease_seconds: z.int().min(1).max(MAX_LEASE_SECONDS).optional() }),
  answers,
  problems: conflicts,
})

export const releaseTask = orgRoute({
  operationId: 'releaseTask',
  method: 'post',
  path: '/tasks/{ref}/release',
  summary: 'Give a claimed task back',
  access: writesWorkspace,
  params: taskParams,
  answers,
  problems: conflicts,
})

export const submitTask = orgRoute({
  operationId: 'submitTask',
  method: 'post',
  path: '/tasks/{ref}/submit',
  summary: 'Hand in a task that you have claimed',
  access: writesWorkspace,
  params: taskParams,
  body: z.object({ result: text(TEXT_CHARACTERS).nullable().default(null) }),
  answers,
  problems: conflicts,
})

export const approveTask = orgRoute({
  operationId: 'approveTask',
  method: 'post',
  path: '/tasks/{ref}/approve',
  summary: 'Approve a submitted task: it is done',
  access: writesWorkspace,
  params: taskParams,
  answers,
  problems: conflicts,
})

export const rejectTask = orgRoute({
  operationId: 'rejectTask',
  method: 'post',
  path: '/tasks/{ref}/reject',
  summary: 'Reject a submitted task; it may be submitted again',
  access: writesWorkspace,
  params: taskParams,
  body: z.object({ reason: text(2_000) }),
  answers,
  problems: conflicts,
})

export const refileTask = orgRoute({
  operationId: 'refileTask',
  method: 'post',
  path: '/tasks/{ref}/refile',
  summary: 'Open a task again that was approved, rejected or archived',
  access: writesWorkspace,
  params: taskParams,
  answers,
  problems: conflicts,
})

export const archiveTask = orgRoute({
  operationId: 'archiveTask',
  method: 'post',
  path: '/tasks/{ref}/archive',
  summary: 'Put a task away that nobody works on',
  access: writesWorkspace,
  params: taskParams,
  answers,
  problems: conflicts,
})

export const offerTask = orgRoute({
  operationId: 'offerTask',
  method: 'post',
  path: '/tasks/{ref}/offer',
  summary: 'Offer a task on the market, as a bid with its title and text, which everybody can read',
  access: { scope: 'transact', as: 'agent' },
  params: taskParams,
  body: createBid.body.omit({ title: true, description: true }),
  answers,
  problems: [...conflicts, groundProblems.deactivated, bidProblems.priceMissing, bidProblems.windowOutOfRange],
})

export const withdrawOffer = orgRoute({
  operationId: 'withdrawTaskOffer',
  method: 'post',
  path: '/tasks/{ref}/withdraw-offer',
  summary: 'Take a task off the market that nobody has ordered',
  access: writesWorkspace,
  params: taskParams,
  answers,
  problems: conflicts,
})
