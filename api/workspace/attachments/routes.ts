import { z } from '@hono/zod-openapi'
import { pageQuery, text, timestampText } from '../../platform/http/route/schemas.ts'
import { orgRoute } from '../orgRoute.ts'
import { pageProblems } from '../pages/problems.ts'
import {
  authorText,
  identity,
  numberParam,
  pageOf,
  readsWorkspace,
  refSchema,
  scanState,
  shortIdText,
  writesWorkspace,
} from '../schemas.ts'
import { ATTACHMENT_ACTIONS, VERSION_ACTIONS } from './internal/guards.ts'
import { attachmentProblems } from './problems.ts'

const NAME_CHARACTERS = 1_000

const refParams = z.object({ ref: refSchema('attachment') })
const bytes = {
  size_bytes: z.int(),
  sha256: z.string().optional().openapi({ description: 'Of the bytes, hex. Absent while they are hashed.' }),
  media_type: z.string().openapi({
    description: 'What the bytes are, whatever the sender called them; application/octet-stream while they are hashed.',
  }),
}

/** An attachment, in an answer. */
export const attachment = z
  .object({
    ...identity,
    page_id: z
      .uuid()
      .nullable()
      .openapi({ description: 'Null for the seller of a task that has it, who sees no page.' }),
    page_short_id: shortIdText.nullable(),
    entry_id: z.uuid().nullable(),
    filename: z.string(),
    reference: z.string().openapi({ description: 'How page text shows it.', example: '![[verse.txt]]' }),
    state: z.enum(['hashing', 'active', 'trashed']).openapi({
      description: 'It is hashing where its parts were sent to several processes, until one has read it as a whole.',
    }),
    may: z.array(z.enum(ATTACHMENT_ACTIONS)).openapi({ description: 'What you may do with it now.' }),
    version: z.int().openapi({ description: 'The number of its current version.' }),
    ...bytes,
    text_state: z.enum(['pending', 'ready', 'truncated', 'unsupported', 'failed']).openapi({
      description: 'Whether its text is there, and whole. A file that no reader gets through has failed.',
    }),
    preview_state: z.enum(['pending', 'ready', 'unsupported', 'failed']),
    scan_state: scanState,
    created_by: authorText,
    created_at: timestampText,
    updated_at: timestampText,
    trashed_at: timestampText.nullable(),
    restorable_until: timestampText.nullable(),
  })
  .openapi('Attachment')

const version = z
  .object({
    ...{ number: z.int(), is_current: z.boolean(), ...bytes, scan_state: scanState },
    may: z.array(z.enum(VERSION_ACTIONS)).openapi({ description: 'What you may do with it now.' }),
    ...{ created_by: authorText, created_at: timestampText },
  })
  .openapi('AttachmentVersion')

const oneAttachment = { description: 'The attachment.', schema: attachment }
/** As with spaces, agents may not delete for good. */
const deletesForGood = { scope: 'transact', as: 'human' } as const
const filename = text(NAME_CHARACTERS).openapi({
  description: 'Kept without separators and invisible characters, and with (2) before its extension where it is taken.',
})

export const uploadForm = z.object({
  page: refSchema('page'),
  entry: refSchema('entry').optional(),
  filename: filename.optional(),
  insert: z.enum(['none', 'embed', 'link']).default('embed').openapi({
    description: 'How the text of the page refers to it: not at all, by showing it, or by a link.',
  }),
  cursor: z
    .string()
    .regex(/^[0-9]{1,19}$/, 'must be a whole number')
    .transform(Number)
    .optional()
    .openapi({ description: 'Byte offset in the text of the page for the reference. Default: the end.', example: '0' }),
})

export const uploadAttachment = orgRoute({
  operationId: 'uploadAttachment',
  method: 'post',
  path: '/attachments',
  group: { name: 'attachments', about: 'Workspace: files of pages, their versions, text and previews.' },
  summary: 'Attach a file to a page, in one request',
  access: writesWorkspace,
  upload: true,
  form: uploadForm,
  answers: { 201: oneAttachment },
  problems: [attachmentProblems.fileTooLarge, attachmentProblems.quotaExceeded, pageProblems.textTooLong],
})

export const listAttachments = orgRoute({
  operationId: 'listAttachments',
  method: 'get',
  path: '/attachments',
  summary: 'List attachments, newest first',
  access: readsWorkspace,
  query: z.object({
    ...pageQuery(200, 50),
    page: refSchema('page').optional(),
    entry: refSchema('entry').optional(),
    name: z.string().max(NAME_CHARACTERS).optional().openapi({ description: 'The one of this name; with `page`.' }),
    trash: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional()
      .openapi({ description: 'The trash instead.' }),
  }),
  answers: { 200: { description: 'A page of attachments.', schema: pageOf(attachment) } },
})

export const getAttachment = orgRoute({
  operationId: 'getAttachment',
  method: 'get',
  path: '/attachments/{ref}',
  summary: 'Read what is known of an attachment, also of one in the trash',
  access: readsWorkspace,
  caller: 'attachmentReader',
  params: refParams,
  answers: { 200: oneAttachment },
})

export const updateAttachment = orgRoute({
  operationId: 'updateAttachment',
  method: 'patch',
  path: '/attachments/{ref}',
  summary: 'Rename an attachment, or move it to another page or entry',
  access: writesWorkspace,
  params: refParams,
  body: z.object({
    page: refSchema('page').optional().openapi({
      description: 'Moves it to that page. References in the text of the page that it leaves stay, and lead nowhere.',
    }),
    entry: refSchema('entry').nullable().optional().openapi({ description: 'An entry of its page; null detaches it.' }),
    filename: filename.nullable().optional(),
    update_references: z
      .boolean()
      .nullable()
      .optional()
      .openapi({ description: 'Whether references in the text of its page follow a new name. Default: true.' }),
  }),
  answers: { 200: oneAttachment },
  problems: [attachmentProblems.attachmentTrashed, pageProblems.textTooLong],
})

export const trashAttachment = orgRoute({
  operationId: 'trashAttachment',
  method: 'delete',
  path: '/attachments/{ref}',
  summary: 'Put an attachment in the trash, from which it can be restored for some days',
  access: writesWorkspace,
  params: refParams,
  answers: { 200: oneAttachment },
  problems: [attachmentProblems.attachmentTrashed],
})

export const restoreAttachment = orgRoute({
  operationId: 'restoreAttachment',
  method: 'post',
  path: '/attachments/{ref}/restore',
  summary: 'Take an attachment out of the trash',
  access: writesWorkspace,
  params: refParams,
  answers: { 200: oneAttachment },
  problems: [attachmentProblems.attachmentNotTrashed],
})

export const purgeAttachment = orgRoute({
  operationId: 'purgeAttachment',
  method: 'post',
  path: '/attachments/{ref}/purge',
  summary: 'Delete an attachment in the trash for good, with its versions; what they took up is free at once',
  access: deletesForGood,
  params: refParams,
  answers: { 204: { description: 'It is gone.' } },
  problems: [attachmentProblems.attachmentNotTrashed, attachmentProblems.attachmentHeld],
})

export const replaceContent = orgRoute({
  operationId: 'replaceAttachmentContent',
  method: 'put',
  path: '/attachments/{ref}/content',
  summary: 'Give an attachment new bytes; its name and short id stay, and the former bytes are a version',
  access: writesWorkspace,
  params: refParams,
  upload: true,
  answers: { 200: oneAttachment },
  problems: [attachmentProblems.fileTooLarge, attachmentProblems.quotaExceeded, attachmentProblems.attachmentTrashed],
})

export const listVersions = orgRoute({
  operationId: 'listAttachmentVersions',
  method: 'get',
  path: '/attachments/{ref}/versions',
  summary: 'List the versions of an attachment, the current one first',
  access: readsWorkspace,
  params: refParams,
  answers: { 200: { description: 'Every version.', schema: z.array(version) } },
})

export const restoreVersion = orgRoute({
  operationId: 'restoreAttachmentVersion',
  method: 'post',
  path: '/attachments/{ref}/versions/{number}/restore',
  summary: 'Make the bytes of an old version current again, as a new version',
  access: writesWorkspace,
  params: refParams.extend({ number: numberParam }),
  answers: { 200: oneAttachment },
  problems: [attachmentProblems.attachmentTrashed, attachmentProblems.attachmentQuarantined],
})

export const deleteVersion = orgRoute({
  operationId: 'deleteAttachmentVersion',
  method: 'delete',
  path: '/attachments/{ref}/versions/{number}',
  summary: 'Delete an old version for good; what it took up is free at once',
  access: deletesForGood,
  params: refParams.extend({ number: numberParam }),
  answers: { 204: { description: 'It is gone.' } },
  problems: [
    attachmentProblems.attachmentTrashed,
    attachmentProblems.attachmentHeld,
    attachmentProblems.versionCurrent,
  ],
})

export const emptyTrash = orgRoute({
  operationId: 'emptyTrash',
  method: 'post',
  path: '/trash/empty',
  group: { name: 'trash', about: 'Workspace: pages and files that were deleted.' },
  summary: 'Delete what is in the trash of an org for good; what the files took up is free at once',
  access: deletesForGood,
  answers: {
    200: {
      description: 'What is gone. Files of tasks that are offered or ordered stay, and what is in archived spaces.',
      schema: z
        .object({
          attachments: z.int(),
          pages: z.int(),
          has_more: z.boolean().openapi({ description: 'Whether to ask again: one call removes some hundred things.' }),
        })
        .openapi('EmptiedTrash'),
    },
  },
})

export const getUsage = orgRoute({
  operationId: 'getStorageUsage',
  method: 'get',
  path: '/usage',
  group: { name: 'usage', about: 'Workspace: what files take up.' },
  summary: 'Read what the files of an org take up, the trash and old versions included',
  access: readsWorkspace,
  answers: {
    200: {
      description: 'The usage.',
      schema: z
        .object({
          used_bytes: z.int(),
          reserved_bytes: z.int().openapi({ description: 'By uploads under way.' }),
          quota_bytes: z.int(),
          trash_days: z.int(),
        })
        .openapi('StorageUsage'),
    },
  },
})
