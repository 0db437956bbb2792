import { z } from '@hono/zod-openapi'
import { defineRoute } from '../http/route/route.ts'
import { pageQuery, timestampText } from '../http/route/schemas.ts'

const MAX_LIMIT = 500

const hex32 = z.string().openapi({ pattern: '^[0-9a-f]{64}$', description: '32 bytes, lowercase hex.' })
const position = z.int().min(0)

const content = z
  .object({
    actor: z.string().openapi({ description: 'URN of the account that acted, or `service`.' }),
    action: z.string(),
    subject: z.string(),
    details: z.record(z.string(), z.unknown()).nullable(),
    created_at: timestampText,
    salt: hex32,
  })
  .openapi('AuditContent')

const entry = z
  .object({
    position: position.openapi({ description: 'From 1 on, without gaps.' }),
    previous_hash: hex32,
    digest: hex32.openapi({ description: 'SHA-256(salt ‖ canonical JSON of the content without its salt, RFC 8785).' }),
    hash: hex32.openapi({ description: 'SHA-256(previous_hash ‖ digest).' }),
    content: content.nullable().openapi({
      description:
        'Of entries that concern you. Null for those of others, of somebody who was erased, and those that only an archive has.',
    }),
  })
  .openapi('AuditEntry')

const head = z
  .object({
    document: z.object({
      type: z.literal('market:audit-log-head'),
      position,
      hash: hex32,
      as_of: timestampText.openapi({ description: 'When this was signed.' }),
    }),
    key_id: z.string(),
    signature: z.string().openapi({ description: 'Ed25519 over the canonical JSON of the document, base64url.' }),
  })
  .openapi('AuditHead')

export const listAuditLog = defineRoute({
  operationId: 'listAuditLog',
  method: 'get',
  path: '/v1/audit-log',
  group: { name: 'audit-log', about: 'What happened, hash-chained.' },
  summary: 'Read the hash chain of everything that was done here, with the content of what concerns you; oldest first',
  access: { scope: 'read', as: 'any' },
  query: z.object({
    ...pageQuery(MAX_LIMIT),
    after: z
      .string()
      .regex(/^(0|[1-9][0-9]{0,14})$/, 'must be the position of an entry')
      .transform(Number)
      .default(0)
      .openapi({ type: 'integer', minimum: 0, default: 0, description: 'Start behind this position.' }),
    own: z.enum(['true', 'false']).default('false').openapi({ description: 'Only what concerns you.' }),
  }),
  answers: {
    200: {
      description: 'A page of the chain, without gaps unless `own` leaves the rest out.',
      schema: z.object({ entries: z.array(entry), next_cursor: z.string().nullable() }).openapi('AuditPage'),
    },
  },
})

export const getAuditHead = defineRoute({
  operationId: 'getAuditHead',
  method: 'get',
  path: '/v1/audit-log/head',
  summary: 'Read the signed head of the audit log: nothing up to it can be changed any more without being found out',
  access: 'public',
  answers: {
    200: { description: 'The head.', schema: head, headers: { 'Cache-Control': 'It may be kept for five seconds.' } },
  },
})

/** An archive of the log: consecutive entries, and the head that was signed at the last one. */
export const auditArchive = z.object({ head, entries: z.array(entry).min(1) })

/** A list of audit entries in its wire form. */
export type AuditPage = z.output<(typeof listAuditLog)['answers'][200]['schema']>
/** The signed head of the audit log in its wire form. */
export type AuditHead = z.output<typeof head>
/** An archive of the audit log. */
export type AuditArchive = z.output<typeof auditArchive>
