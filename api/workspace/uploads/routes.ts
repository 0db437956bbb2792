import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { orgAgentProblems } from '../agents/problems.ts'
import { attachmentProblems } from '../attachments/problems.ts'
import { pageProblems } from '../pages/problems.ts'
import { writesWorkspace } from '../schemas.ts'
import { spaceProblems } from '../spaces/problems.ts'
import { uploadProblems } from './problems.ts'

export const UPLOADS_PATH = '/uploads'

const CHUNK = 'application/offset+octet-stream'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const params = z.object({
  id: z.string().regex(UUID).openapi({
    description: 'Id of an upload of yours: the last part of its Location.',
    example: '01890000-0000-7000-8000-000000000000',
  }),
})
const tusResumable = { 'Tus-Resumable': '1.0.0. Required.' }
const checksum = {
  'Upload-Checksum': 'Algorithm (sha1, sha256 or md5) and base64 digest of the bytes of this request.',
}
const uploadOffset = { 'Upload-Offset': 'How many bytes have arrived.' }
const ending = {
  'Upload-Expires': 'Until when its parts are waited for. Absent once it is an attachment.',
  'Workspace-Attachment': 'Once it has arrived whole: the UUID of the attachment.',
}
const writing = [orgAgentProblems.agentShutOut, spaceProblems.spaceArchived, uploadProblems.tusVersion]
const receiving = [
  ...writing,
  ...[attachmentProblems.fileTooLarge, attachmentProblems.quotaExceeded],
  ...[uploadProblems.checksumMismatch, pageProblems.textTooLong],
]

export const createUpload = defineRoute({
  operationId: 'createUpload',
  method: 'post',
  path: UPLOADS_PATH,
  group: { name: 'uploads', about: 'Workspace: files that arrive in parts, by the tus protocol.' },
  summary: 'Begin to upload a file in parts (tus 1.0.0), with its first bytes or without',
  isWorkspace: true,
  access: writesWorkspace,
  upload: true,
  uploadType: CHUNK,
  requestHeaders: {
    ...tusResumable,
    'Upload-Length': 'Bytes of the whole file.',
    'Upload-Metadata':
      'Keys with values in base64: org, page and filename, and optionally entry, insert and cursor as in the form.',
    ...checksum,
  },
  answers: {
    201: {
      description: 'It is begun.',
      headers: { Location: 'The path of the upload.', ...uploadOffset, ...ending },
    },
  },
  problems: [...receiving, groundProblems.notFound],
})

export const getUpload = defineRoute({
  operationId: 'getUpload',
  method: 'get',
  path: `${UPLOADS_PATH}/{id}`,
  summary: 'Ask how much of an upload has arrived; meant for HEAD',
  isWorkspace: true,
  access: writesWorkspace,
  params,
  requestHeaders: tusResumable,
  answers: {
    200: {
      description: 'The headers say it. There is no body.',
      headers: {
        ...uploadOffset,
        'Upload-Length': 'Bytes of the whole file.',
        'Upload-Metadata': 'As it was given.',
        ...ending,
      },
    },
  },
  problems: [
    orgAgentProblems.agentShutOut,
    uploadProblems.tusVersion,
    uploadProblems.uploadLocked,
    attachmentProblems.quotaExceeded,
    pageProblems.textTooLong,
  ],
})

export const appendToUpload = defineRoute({
  operationId: 'appendToUpload',
  method: 'patch',
  path: `${UPLOADS_PATH}/{id}`,
  summary: 'Send the next bytes of an upload; with the last of them it becomes an attachment',
  isWorkspace: true,
  access: writesWorkspace,
  params,
  upload: true,
  uploadType: CHUNK,
  ignoresKeys: true,
  requestHeaders: {
    ...tusResumable,
    'Upload-Offset': 'How many bytes have arrived: where these go on. Required.',
    ...checksum,
  },
  answers: { 204: { description: 'They are stored.', headers: { ...uploadOffset, ...ending } } },
  problems: [...receiving, uploadProblems.uploadOffsetMismatch, uploadProblems.uploadLocked],
})

export const terminateUpload = defineRoute({
  operationId: 'terminateUpload',
  method: 'delete',
  path: `${UPLOADS_PATH}/{id}`,
  summary: 'Give up an upload, and the room that it holds; an attachment that it became stays',
  isWorkspace: true,
  access: writesWorkspace,
  params,
  ignoresKeys: true,
  requestHeaders: tusResumable,
  answers: { 204: { description: 'It is gone.' } },
  problems: [...writing, uploadProblems.uploadLocked],
})
