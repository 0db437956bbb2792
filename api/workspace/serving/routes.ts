import { z } from '@hono/zod-openapi'
import { FILE_REQUEST_HEADERS, fileAnswers } from '../../platform/http/files/fileAnswers.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { httpProblems } from '../../platform/http/serve/problems.ts'
import { attachmentProblems } from '../attachments/problems.ts'
import { orgRoute } from '../orgRoute.ts'
import { numberParam, readsWorkspace, refSchema } from '../schemas.ts'
import { RENDITIONS } from './internal/renditions.ts'

const refParams = z.object({ ref: refSchema('attachment') })
const disposition = z.enum(['inline', 'attachment'])
const query = z.object({
  disposition: disposition.optional().openapi({
    description: '`attachment` saves it under its name. By default browsers show what they run nothing of.',
  }),
})
const link = { 302: { description: 'The file is there, for five minutes.', headers: { Location: 'A signed URL.' } } }
const problems = [
  attachmentProblems.humansOnly,
  attachmentProblems.attachmentTrashed,
  attachmentProblems.attachmentQuarantined,
] as const

export const downloadAttachment = orgRoute({
  operationId: 'downloadAttachment',
  method: 'get',
  path: '/attachments/{ref}/download',
  summary: 'Download an attachment, by a link that it leads to; people only',
  access: readsWorkspace,
  caller: 'attachmentReader',
  params: refParams,
  query,
  answers: link,
  problems,
})

export const downloadVersion = orgRoute({
  operationId: 'downloadAttachmentVersion',
  method: 'get',
  path: '/attachments/{ref}/versions/{number}/download',
  summary: 'Download an old version of an attachment, by a link that it leads to; people only',
  access: readsWorkspace,
  caller: 'attachmentReader',
  params: refParams.extend({ number: numberParam }),
  query,
  answers: link,
  problems,
})

export const previewAttachment = orgRoute({
  operationId: 'previewAttachment',
  method: 'get',
  path: '/attachments/{ref}/preview',
  summary: 'See an attachment as a small picture (WebP), by a link that it leads to',
  access: readsWorkspace,
  caller: 'attachmentReader',
  params: refParams,
  query: z.object({
    size: z.enum(['256', '1024']).transform(Number).optional().openapi({
      description: 'How many pixels it is wide or high at most. Default: 256.',
      example: '256',
    }),
  }),
  answers: link,
  problems: [
    attachmentProblems.previewNotAvailable,
    attachmentProblems.attachmentTrashed,
    attachmentProblems.attachmentQuarantined,
  ],
})

export const serveAttachment = defineRoute({
  operationId: 'serveAttachment',
  method: 'get',
  path: '/files/{attachment}/{number}',
  group: { name: 'files', about: 'Workspace: what signed links lead to.' },
  summary: 'The bytes that a signed link leads to',
  isWorkspace: true,
  access: 'public',
  params: z.object({
    attachment: z
      .uuid()
      .openapi({ description: 'UUID of the attachment.', example: '01890000-0000-7000-8000-000000000000' }),
    number: numberParam,
  }),
  query: z.object({
    account: z.uuid(),
    agent: z.uuid().optional(),
    rendition: z.enum(RENDITIONS),
    disposition,
    expires: z.string().regex(/^[1-9][0-9]{0,11}$/),
    signature: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  }),
  requestHeaders: FILE_REQUEST_HEADERS,
  answers: fileAnswers('*/*', {
    'Content-Disposition': 'Its name, and whether it may be shown.',
    'Repr-Digest': 'SHA-256 of all its bytes (RFC 9530).',
  }),
  problems: [
    attachmentProblems.linkExpired,
    attachmentProblems.attachmentQuarantined,
    httpProblems.rangeNotSatisfiable,
  ],
})
