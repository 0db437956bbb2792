import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { pageQuery, timestampText, urnObject, urnParam } from '../../platform/http/route/schemas.ts'
import { exportProblems } from './problems.ts'

const params = z.object({ urn: urnParam('export') })

const accountExport = z
  .object({
    urn: urnObject('export'),
    state: z.enum(['pending', 'ready', 'expired']),
    progress: z.object({ done: z.int(), total: z.int() }).openapi({ description: 'In kinds of things.' }),
    size_bytes: z.int().nullable(),
    sha256: z.string().nullable().openapi({ description: 'Of the file, lowercase hex.' }),
    created_at: timestampText,
    finished_at: timestampText.nullable(),
    expires_at: timestampText.nullable().openapi({ description: 'When the file is deleted.' }),
  })
  .openapi('Export')

export const requestExport = defineRoute({
  operationId: 'requestExport',
  method: 'post',
  path: '/v1/me/exports',
  group: { name: 'exports', about: 'Copies of everything an account has.' },
  summary: 'Have a copy made of everything you and your agents have here; it takes the place of an earlier one',
  access: { scope: 'manage', as: 'human', reAuth: true },
  answers: {
    202: {
      description: 'It is being made.',
      schema: accountExport,
      location: { under: '/v1/me/exports', member: 'urn' },
    },
  },
  problems: [exportProblems.inProgress],
})

export const listExports = defineRoute({
  operationId: 'listExports',
  method: 'get',
  path: '/v1/me/exports',
  summary: 'List your exports, newest first',
  access: { scope: 'read', as: 'human' },
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of exports.',
      schema: z.object({ exports: z.array(accountExport), next_cursor: z.string().nullable() }),
    },
  },
})

export const getExport = defineRoute({
  operationId: 'getExport',
  method: 'get',
  path: '/v1/me/exports/{urn}',
  summary: 'Read how far an export has come',
  access: { scope: 'read', as: 'human' },
  params,
  answers: { 200: { description: 'The export.', schema: accountExport } },
  problems: [groundProblems.notFound],
})

export const downloadExport = defineRoute({
  operationId: 'downloadExport',
  method: 'get',
  path: '/v1/me/exports/{urn}/download',
  summary: 'Be sent to the file of a finished export, by a link that is good for a few minutes',
  access: { scope: 'manage', as: 'human', reAuth: true },
  params,
  answers: {
    302: { description: 'The file is there.', headers: { Location: 'Path and query of the file on this server.' } },
  },
  problems: [groundProblems.notFound, exportProblems.notReady],
})

export const getExportFile = defineRoute({
  operationId: 'getExportFile',
  method: 'get',
  path: '/v1/exports/{urn}/file',
  group: { name: 'exports' },
  summary: 'Download an export by its signed link: one JSON object with a list for each kind of thing',
  access: 'public',
  params,
  query: z.object({
    expires: z.string().regex(/^[1-9][0-9]{0,11}$/, 'must be unix seconds'),
    signature: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url'),
  }),
  answers: {
    200: {
      description: 'The file.',
      schema: z.record(z.string(), z.unknown()),
      headers: { 'Content-Disposition': 'A name for the file.', 'Content-Length': 'Its size.' },
    },
  },
  problems: [groundProblems.notFound],
})

/** An export in its wire form. */
export type ExportBody = z.input<typeof accountExport>
