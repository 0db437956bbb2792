import { z } from '@hono/zod-openapi'
import { getAddress, type Hex, isAddress } from 'viem'
import { type UrnPrefix, urnString } from '../../../../protocol/encoding/urn.ts'
import { normalizeName, withoutFlags } from './names.ts'

const MAX_INTEGER = 2_147_483_647
const EXAMPLE_ID = '01890000-0000-7000-8000-000000000000'

/** A UUID in a request, in upper or lower case: libraries differ (RFC 9562, section 4). */
export const UUID_PATTERN = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

/** A URN in a request, in either wire form (spec 2.1). Becomes the id. */
export function urnSchema(prefix: UrnPrefix) {
  return z
    .union(
      [
        formB(prefix),
        z.strictObject({
          prefix: z.string().regex(new RegExp(`^${prefix}$`)),
          body: z.string().regex(new RegExp(`^${UUID_PATTERN}$`), 'must be a UUID'),
        }),
      ],
      noUrn(prefix),
    )
    .transform((value) => (typeof value === 'string' ? idIn(value) : value.body.toLowerCase()))
    .openapi({
      description: `URN of one ${prefix}, as a string or as {prefix, body}.`,
      example: urnString(prefix, EXAMPLE_ID),
    })
}

/** A URN in a path or a query: form B. Becomes the id. */
export function urnParam(prefix: UrnPrefix) {
  return formB(prefix)
    .transform(idIn)
    .openapi({ description: `URN of the ${prefix}.`, example: urnString(prefix, EXAMPLE_ID) })
}

/** An account: an agent or a human. */
export interface Account {
  kind: 'agent' | 'human'
  id: string
}

/** The URN of an agent or a human in a request, in either wire form. */
export const accountSchema = z
  .union([urnSchema('agent').transform(asAccount('agent')), urnSchema('human').transform(asAccount('human'))], {
    error: 'must be the URN of an agent or of a human',
  })
  .openapi({ description: 'URN of one agent or human, as a string or as {prefix, body}.' })

/** The URN of an agent or a human in a path: form B. */
export const accountParam = z
  .string()
  .regex(new RegExp(`^market:(agent|human):${UUID_PATTERN}$`), 'must be the URN of an agent or of a human')
  .transform((value): Account => {
    const [, kind = '', id = ''] = value.split(':')
    return { kind: kind === 'human' ? kind : 'agent', id: id.toLowerCase() }
  })
  .openapi({ description: 'URN of the agent, or of the human.', example: urnString('agent', EXAMPLE_ID) })

function idIn(text: string): string {
  return text.slice(text.lastIndexOf(':') + 1).toLowerCase()
}

function asAccount(kind: Account['kind']) {
  return (id: string): Account => ({ kind, id })
}

function formB(prefix: UrnPrefix) {
  return z.string().regex(new RegExp(`^market:${prefix}:${UUID_PATTERN}$`), noUrn(prefix))
}

function noUrn(prefix: UrnPrefix): string {
  return `must be a URN: ${urnString(prefix, '<id>')}`
}

/** A URN in an answer: form A. The OpenAPI document has one component for each prefix. */
export function urnObject<Prefix extends UrnPrefix>(prefix: Prefix) {
  return z.object({ prefix: z.literal(prefix), body: z.uuid() }).openapi(urnName(prefix))
}

/** Returns the name of a URN's schema in the OpenAPI document: `OrderUrn`. */
export function urnName(prefix: UrnPrefix): string {
  return `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}Urn`
}

/** A URN in an answer that uses form B. */
export function urnText(prefix: UrnPrefix) {
  return z.string().openapi({ example: urnString(prefix, EXAMPLE_ID) })
}

// At most twelve digits before the point: they fit a BIGINT of micro-units, and exceed any real amount.
const AMOUNT = /^(0|[1-9][0-9]{0,11})\.[0-9]{6}$/

/** An amount (spec 2.1): a decimal string with exactly six fractional digits. Becomes bigint micro-units. */
export const amountSchema = z
  .string()
  .regex(AMOUNT, 'must be a decimal string with exactly six fractional digits, such as "20.000000"')
  .transform((value) => BigInt(value.replace('.', '')))
  .openapi({ example: '20.000000' })

/** A SHA-256 in a request: hex in either case, with or without 0x. Becomes lowercase hex without it. */
export const digestSchema = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be a SHA-256: 64 hex digits, with or without 0x')
  .transform((value) => value.replace('0x', '').toLowerCase())

// The SHA-256 of no bytes.
const NOTHING_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * The SHA-256 of a delivery's bytes. An empty delivery is refused: it is a mistake that could not be undone.
 */
export const outputHashSchema = digestSchema.refine((sha256) => sha256 !== NOTHING_SHA256, {
  error: 'is the SHA-256 of no bytes: deliver a text or a file that is not empty',
})

/**
 * A duration in a request, in whole seconds: at least one, and at most the longest that any rule could allow.
 */
export const secondsSchema = z.int().min(1).max(MAX_INTEGER)

/** A count in a request. */
export const countSchema = z.int().min(1).max(MAX_INTEGER)

/** The number of a version in a request. */
export const versionSchema = z.int().min(1).max(MAX_INTEGER)

/** An amount in an answer, as written by formatAmount. */
export const amountText = z.string().openapi({ pattern: '^(0|[1-9][0-9]*)\\.[0-9]{6}$', example: '20.000000' })

/** A change of an account's balance in an answer, as written by formatChange: negative if money left. */
export const changeText = z.string().openapi({ pattern: '^-?(0|[1-9][0-9]*)\\.[0-9]{6}$', example: '-19.000000' })

/** The scopes of a token: what its bearer may do (spec 2.4). */
export const tokenScope = z.enum(['read', 'transact', 'withdraw', 'manage'])

// Marks combine with another character. The five are letters and a symbol that show nothing.
const INVISIBLE = 'must hold a character that can be seen'
const VISIBLE = /[^\s\p{C}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u

/** Returns whether text shows anything: not if it is all white space and invisible characters. */
export function isVisible(written: string): boolean {
  return VISIBLE.test(written)
}

/**
 * Text a person or agent wrote: at most `max` characters, and at least `min`. Where one is needed, the text
 * must show something.
 */
export function text(max: number, min = 1) {
  const schema = z.string().min(min).max(max)
  return min === 0 ? schema : schema.refine(isVisible, INVISIBLE)
}

// Control characters, line separators, characters that change the direction of the text after them, and tags
// outside flags, which can hide words.
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u

/**
 * Returns a schema of a name or title. It refuses text that shows nothing, or that changes how the text
 * beside it looks.
 */
export function asName<Schema extends z.ZodString>(schema: Schema) {
  return schema
    .refine(
      (name) => !MISLEADING.test(withoutFlags(name)),
      'must hold no control characters, line breaks or changes of direction',
    )
    .refine(isVisible, INVISIBLE)
}

/** A new name or title of something, in its stored form: at most `max` characters on one line. */
export function nameText(max: number) {
  return asName(z.string().overwrite(normalizeName).min(1).max(max))
}

// Postgres has no year 0, and a year of five digits is written with a sign.
const FIRST_DAY = '0001-01-01'
const FIRST_TIME = Date.parse(`${FIRST_DAY}T00:00:00Z`)
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')
const RFC_3339 = z.iso.datetime({ offset: true })

/** A day in a request or an answer, in the years 1 to 9999. */
export const dayText = z.iso
  .date('must be a day of the calendar, written as 2026-12-31')
  .refine((day) => day >= FIRST_DAY, 'must be a day of the calendar, written as 2026-12-31')

/**
 * A time in a request, as RFC 3339 has it: with any offset, in either case. Becomes a Date, so a fraction is
 * cut to milliseconds. A leap second becomes the second before it.
 */
export const timestampSchema = z
  .string()
  .transform((text, context) => {
    const upper = text.toUpperCase()
    const time = upper.replace(/(:\d\d):60(?=[.Z+-])/, '$1:59')
    const at = new Date(RFC_3339.safeParse(time).data ?? Number.NaN)
    const isWritable = at.getTime() >= FIRST_TIME && at.getTime() <= LAST_TIME
    if (isWritable && (time === upper || at.toISOString().slice(11, 16) === '23:59')) return at
    context.addIssue('must be a time: 2026-06-01T12:00:00Z')
    return z.NEVER
  })
  .openapi({
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
  })

/** A time in an answer: ISO 8601 in UTC. */
export const timestampText = z.iso.datetime()

/** An address on chain. Becomes checksummed; mixed case must have the correct checksum (EIP-55). */
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

// OpenAPI sees a plain string. The generator does not know template literals, and an explicit type would
// prevent null.
function hexText(pattern: RegExp): z.ZodType<Hex, Hex> {
  return z.string().regex(pattern) as unknown as z.ZodType<Hex, Hex>
}

/** The query of every list: spread it into the route's own. */
export function pageQuery(maxLimit = 100, defaultLimit = 20) {
  return {
    limit: z
      .string()
      .regex(/^[1-9][0-9]{0,3}$/, `must be a whole number from 1 to ${maxLimit}`)
      .transform(Number)
      .pipe(z.int().max(maxLimit, `must be a whole number from 1 to ${maxLimit}`))
      .default(defaultLimit)
      .openapi({
        type: 'integer',
        minimum: 1,
        maximum: maxLimit,
        default: defaultLimit,
        description: 'How many at most.',
      }),
    cursor: z.string().max(500).optional().openapi({ description: 'next_cursor of the page before.' }),
  }
}

// A schema compiles itself at its first use, so a schema created for each request would compile each time.
const closedForms = new WeakMap<z.ZodType, z.ZodType>()

/**
 * Returns a schema that refuses unknown members, because a misspelt member would otherwise be ignored. Each
 * schema has one such form.
 */
export function closed(schema: z.ZodType): z.ZodType {
  const known = closedForms.get(schema)
  if (known) return known
  const form = schema instanceof z.ZodObject ? schema.strict() : schema
  closedForms.set(schema, form)
  return form
}

/** Returns whether a request may come without its body, because every member of it may be absent. */
export function isBodyOptional(schema: z.ZodType): boolean {
  return closed(schema).safeParse({}).success
}

/**
 * Returns an object without the members that are null: members that do not apply are absent from an answer
 * (spec 2).
 */
export function present<Value extends object>(value: Value): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members) as { [Name in keyof Value]?: NonNullable<Value[Name]> }
}
