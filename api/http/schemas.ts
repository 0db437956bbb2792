import { z } from '@hono/zod-openapi'
import { getAddress, type Hex, isAddress } from 'viem'
import { type UrnPrefix, urnString } from '../../protocol/urn.ts'

const MAX_INTEGER = 2_147_483_647
const EXAMPLE_ID = '01890000-0000-7000-8000-000000000000'

const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** A URN in a request, in either wire form (spec 2.1). Becomes the id. */
export function urnSchema(prefix: UrnPrefix) {
  return z
    .union(
      [
        formB(prefix),
        z.strictObject({
          prefix: z.string().regex(new RegExp(`^${prefix}$`)),
          body: z.string().regex(new RegExp(`^${UUID_PATTERN}$`)),
        }),
      ],
      noUrn(prefix),
    )
    .transform((value) => (typeof value === 'string' ? value.slice(value.lastIndexOf(':') + 1) : value.body))
    .openapi({
      description: `URN of one ${prefix}, as a string or as {prefix, body}.`,
      example: urnString(prefix, EXAMPLE_ID),
    })
}

/** A URN in a path or a query: form B. Becomes the id. */
export function urnParam(prefix: UrnPrefix) {
  return formB(prefix)
    .transform((value) => value.slice(value.lastIndexOf(':') + 1))
    .openapi({ description: `URN of the ${prefix}.`, example: urnString(prefix, EXAMPLE_ID) })
}

function formB(prefix: UrnPrefix) {
  return z.string().regex(new RegExp(`^market:${prefix}:${UUID_PATTERN}$`), noUrn(prefix))
}

function noUrn(prefix: UrnPrefix): string {
  return `must be a URN: ${urnString(prefix, '<id>')}`
}

/** A URN in an answer: form A. */
export function urnObject<Prefix extends UrnPrefix>(prefix: Prefix) {
  return z.object({ prefix: z.literal(prefix), body: z.uuid() })
}

/** A URN in an answer that uses form B. */
export function urnText(prefix: UrnPrefix) {
  return z.string().openapi({ example: urnString(prefix, EXAMPLE_ID) })
}

// Twelve digits before the point: what a BIGINT of micro-units holds, and more than there is of any money.
const AMOUNT = /^(0|[1-9][0-9]{0,11})\.[0-9]{6}$/

/** An amount (spec 2.1): a decimal string with exactly six fractional digits. Becomes bigint micro-units. */
export const amountSchema = z
  .string()
  .regex(AMOUNT, 'must be a decimal string with exactly six fractional digits, such as "20.000000"')
  .transform((value) => BigInt(value.replace('.', '')))
  .openapi({ example: '20.000000' })

/** A length of time in a request, in whole seconds: one or more, and no more than any rule could allow. */
export const secondsSchema = z.int().min(1).max(MAX_INTEGER)

/** The number of a version in a request. */
export const versionSchema = z.int().min(1).max(MAX_INTEGER)

/** An amount in an answer, as formatAmount writes it. */
export const amountText = z.string().openapi({ pattern: '^(0|[1-9][0-9]*)\\.[0-9]{6}$', example: '20.000000' })

/** A change of an account in an answer, as formatChange writes it: with a minus where money left. */
export const changeText = z.string().openapi({ pattern: '^-?(0|[1-9][0-9]*)\\.[0-9]{6}$', example: '-19.000000' })

/** What a token lets its bearer do (spec 2.4). */
export const tokenScope = z.enum(['read', 'transact', 'withdraw', 'manage'])

/** Text a person or agent wrote: at most `max` characters, and at least `min`. */
export function text(max: number, min = 1) {
  return z.string().min(min).max(max)
}

/** A time in a request: ISO 8601 in UTC (spec 2.1), which is less than the format of RFC 3339 allows. Becomes a Date. */
export const timestampSchema = z.iso
  .datetime('must be a time in UTC: 2026-06-01T12:00:00Z')
  .transform((value) => new Date(value))
  .openapi({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$' })

/** A time in an answer: ISO 8601 in UTC. */
export const timestampText = z.iso.datetime()

/** An account on chain. Becomes checksummed; mixed case must carry the right checksum (EIP-55). */
export const addressSchema = z
  .string()
  .refine(
    (value) => isAddress(value),
    'must be an address: 0x and 40 hex digits, with the right checksum if in mixed case',
  )
  .transform((value) => getAddress(value))
  .openapi({ pattern: '^0x[0-9a-fA-F]{40}$' })

/** An address in an answer: checksummed. */
export const addressText = hexText(/^0x[0-9a-fA-F]{40}$/)

/** 32 bytes in an answer: lowercase hex. */
export const hashText = hexText(/^0x[0-9a-f]{64}$/)

// A plain string to OpenAPI, which a template literal is not: told to be one, it could no longer be null.
function hexText(pattern: RegExp): z.ZodType<Hex, Hex> {
  return z.string().regex(pattern) as unknown as z.ZodType<Hex, Hex>
}

/** The query of every list: spread it into the route's own. */
export function pageQuery(maxLimit = 100) {
  return {
    limit: z
      .string()
      .regex(/^[1-9][0-9]{0,3}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().max(maxLimit))
      .default(20)
      .openapi({ type: 'integer', minimum: 1, maximum: maxLimit, default: 20, description: 'How many at most.' }),
    cursor: z.string().max(500).optional().openapi({ description: 'next_cursor of the page before.' }),
  }
}

// A schema compiles itself at its first use: one made anew for each request would do so each time.
const closedForms = new WeakMap<z.ZodType, z.ZodType>()

/** A request that refuses members it does not name: a misspelt one would otherwise be ignored. One form a schema. */
export function closed(schema: z.ZodType): z.ZodType {
  const known = closedForms.get(schema)
  if (known) return known
  const form = schema instanceof z.ZodObject ? schema.strict() : schema
  closedForms.set(schema, form)
  return form
}
