import { z } from '@hono/zod-openapi'
import { pageQuery, text, timestampText } from '../../platform/http/route/schemas.ts'
import { orgRoute } from '../orgRoute.ts'
import { authorText, flag, identity, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'
import { commentProblems } from './problems.ts'

const TEXT_CHARACTERS = 10_000
const QUOTE_CHARACTERS = 1_000

const commentParams = z.object({ ref: refSchema('comment') })
const words = text(TEXT_CHARACTERS).openapi({
  description: 'Markdown. @ and a URN, as in @market:human:…, tells a member or their agent.',
})

const comment = z
  .object({
    ...identity,
    page_id: z.uuid().nullable(),
    task_id: z.uuid().nullable(),
    thread_id: z
      .uuid()
      .nullable()
      .openapi({ description: 'The comment that it answers; null for one that begins a thread.' }),
    text: z.string(),
    anchor: z
      .object({
        quote: z.string(),
        start: z.int().nullable().openapi({
          description: 'Where the words stand in the page now, in UTF-16 code units; null if they are gone.',
        }),
        end: z.int().nullable(),
      })
      .nullable(),
    created_by: authorText,
    created_at: timestampText,
    updated_at: timestampText,
    resolved_by: authorText.nullable(),
    resolved_at: timestampText.nullable(),
    deleted_at: timestampText.nullable(),
  })
  .openapi('Comment')
const answers = { 200: { description: 'The comment.', schema: comment } }

export const createComment = orgRoute({
  operationId: 'createComment',
  method: 'post',
  path: '/comments',
  group: { name: 'comments', about: 'Workspace: what is said of pages and tasks.' },
  summary: 'Comment on a page, on words of it, or on a task; or answer a comment',
  access: writesWorkspace,
  body: z.object({
    page: refSchema('page').optional(),
    task: refSchema('task').optional(),
    thread: refSchema('comment').optional().openapi({ description: 'A comment of that thread.' }),
    text: words,
    anchor: z
      .object({
        quote: text(QUOTE_CHARACTERS),
        start: z
          .int()
          .min(0)
          .default(0)
          .openapi({ description: 'About where, in UTF-16 code units, if they occur often.' }),
      })
      .optional()
      .openapi({ description: 'The words of the page that it is about. The comment follows them through edits.' }),
  }),
  answers: { 201: { description: 'The comment.', schema: comment } },
  problems: [commentProblems.anchorNotFound],
})

export const listComments = orgRoute({
  operationId: 'listComments',
  method: 'get',
  path: '/comments',
  summary: 'List comments, newest first',
  access: readsWorkspace,
  query: z.object({
    ...pageQuery(200, 50),
    page: refSchema('page').optional(),
    task: refSchema('task').optional(),
    thread: refSchema('comment').optional().openapi({ description: 'The answers to this comment.' }),
    resolved: flag.optional().openapi({ description: 'The comments that begin resolved threads, or open ones.' }),
  }),
  answers: { 200: { description: 'A page of comments.', schema: pageOf(comment) } },
})

export const getComment = orgRoute({
  operationId: 'getComment',
  method: 'get',
  path: '/comments/{ref}',
  summary: 'Read a comment',
  access: readsWorkspace,
  params: commentParams,
  answers,
})

export const editComment = orgRoute({
  operationId: 'editComment',
  method: 'patch',
  path: '/comments/{ref}',
  summary: 'Write a comment of yours anew',
  access: writesWorkspace,
  params: commentParams,
  body: z.object({ text: words }),
  answers,
  problems: [commentProblems.commentConflict],
})

export const deleteComment = orgRoute({
  operationId: 'deleteComment',
  method: 'delete',
  path: '/comments/{ref}',
  summary: 'Delete a comment: its text is gone, its thread stays',
  access: writesWorkspace,
  params: commentParams,
  answers,
  problems: [commentProblems.commentConflict],
})

export const resolveComment = orgRoute({
  operationId: 'resolveComment',
  method: 'post',
  path: '/comments/{ref}/resolve',
  summary: 'Resolve the thread that a comment begins',
  access: writesWorkspace,
  params: commentParams,
  answers,
  problems: [commentProblems.commentConflict],
})

export const reopenComment = orgRoute({
  operationId: 'reopenComment',
  method: 'post',
  path: '/comments/{ref}/reopen',
  summary: 'Open a resolved thread again',
  access: writesWorkspace,
  params: commentParams,
  answers,
  problems: [commentProblems.commentConflict],
})
