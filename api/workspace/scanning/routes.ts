import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { pageQuery, timestampText } from '../../platform/http/route/schemas.ts'
import { attachmentProblems } from '../attachments/problems.ts'
import { pageOf, scanState } from '../schemas.ts'

const operate = { scope: 'manage', as: 'operator' } as const
const params = z.object({
  id: z.uuid().openapi({ description: 'Id of the file.', example: '01890000-0000-7000-8000-000000000000' }),
})

const file = z
  .object({
    id: z.uuid(),
    org: z.string(),
    sha256: z.string(),
    size_bytes: z.int(),
    scan_state: scanState,
    signature: z.string().nullable().openapi({ description: 'Which rule of the scanner found it.' }),
    scanned_at: timestampText.nullable(),
  })
  .openapi('ScannedFile')

export const listQuarantine = defineRoute({
  operationId: 'listQuarantine',
  method: 'get',
  path: '/quarantine',
  group: { name: 'quarantine', about: 'Operators: files that the virus scanner found.' },
  summary: 'List the files that the virus scanner found infected, newest first',
  isWorkspace: true,
  access: { scope: 'read', as: 'operator' },
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of files.', schema: pageOf(file) } },
})

export const releaseQuarantined = defineRoute({
  operationId: 'releaseQuarantined',
  method: 'post',
  path: '/quarantine/{id}/release',
  summary: 'Have an infected file served again',
  isWorkspace: true,
  access: operate,
  params,
  answers: { 200: { description: 'The file, released.', schema: file } },
  problems: [attachmentProblems.notInfected],
})

export const rescanQuarantined = defineRoute({
  operationId: 'rescanQuarantined',
  method: 'post',
  path: '/quarantine/{id}/rescan',
  summary: 'Have a file scanned again, whatever was said of it',
  isWorkspace: true,
  access: operate,
  params,
  answers: { 200: { description: 'The file, which is to be scanned.', schema: file } },
  problems: [attachmentProblems.notInfected],
})

export const deleteQuarantined = defineRoute({
  operationId: 'deleteQuarantined',
  method: 'delete',
  path: '/quarantine/{id}',
  summary: 'Delete the bytes of an infected file for ever; the attachments that had it stay, without them',
  isWorkspace: true,
  access: operate,
  params,
  answers: { 200: { description: 'The file, deleted.', schema: file } },
  problems: [attachmentProblems.notInfected],
})
