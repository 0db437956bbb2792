import { z } from '@hono/zod-openapi'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { supportedMimeTypes } from 'file-type'
import { canonicalJson } from '../../../protocol/encoding/canonical.ts'
import { text } from '../../platform/http/route/schemas.ts'

// Keywords are left out if a seller could choose how long they take (pattern, format), or if they refer to
// another document ($ref).
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'title', 'description'],
  ...['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'dependentRequired'],
  ...['items', 'prefixItems', 'contains', 'minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
])
const LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const SCHEMAS: readonly string[] = ['items', 'contains', 'additionalProperties', 'not', 'if', 'then', 'else']
const MAX_DEPTH = 12

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Returns a keyword of a JSON Schema that is not allowed, or undefined. */
function refusedKeyword(schema: unknown, depth = 0): string | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined
  if (depth > MAX_DEPTH) return `more than ${MAX_DEPTH} levels`
  for (const [keyword, value] of Object.entries(schema)) {
    if (!KEYWORDS.has(keyword)) return keyword
    for (const inner of innerSchemas(keyword, value)) {
      const refused = refusedKeyword(inner, depth + 1)
      if (refused !== undefined) return refused
    }
  }
  return undefined
}

function innerSchemas(keyword: string, value: unknown): unknown[] {
  if (SCHEMAS.includes(keyword)) return [value]
  if (LISTS.includes(keyword)) return Array.isArray(value) ? value : []
  if (keyword === 'properties' && typeof value === 'object' && value !== null) return Object.values(value)
  return []
}

/** A JSON Schema (2020-12) that a check may use: a few keywords, and no reference to a schema elsewhere. */
export const jsonSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const refused = refusedKeyword(schema)
    if (refused !== undefined) context.addIssue({ code: 'custom', message: `must do without ${refused.slice(0, 40)}` })
    else if (!ajv.validateSchema(schema))
      context.addIssue({ code: 'custom', message: 'must be a JSON Schema (2020-12)' })
  })
  .openapi({
    type: 'object',
    description: `A JSON Schema (2020-12) of these keywords alone: ${[...KEYWORDS].join(', ')}.`,
    example: { type: 'array', minItems: 42 },
  })

const TEXT = /^text\/[a-z0-9.+-]{1,60}$/
const JSON_TYPE = 'application/json'
const SVG = 'image/svg+xml'

/** A media type that the service can find by the bytes. */
const mediaType = z
  .string()
  .max(100)
  .refine(isCheckable, 'must be a media type that the bytes show, such as image/png, application/json or text/csv')
  .openapi({ example: 'image/png' })

const MAX_CRITERIA = 20
const MAX_TEXT_CHARACTERS = 1_000
const MAX_CHARACTERS = 32_768
const MAX_MEDIA_TYPES = 20
const MAX_UNITS = 10_000_000
const MAX_BYTES = 1_099_511_627_776

const bytes = z.int().min(0).max(MAX_BYTES)

/** The units in which a delivery is counted. */
const unitKind = z.enum(['zip_entries', 'json_items', 'csv_rows', 'lines'])

const check = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('media_types'),
      any_of: z.array(mediaType).min(1).max(MAX_MEDIA_TYPES),
    }),
    z.strictObject({ kind: z.literal('size'), min_bytes: bytes.optional(), max_bytes: bytes.optional() }),
    z.strictObject({
      kind: z.literal('sha256'),
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 hex digits in lower case'),
    }),
    z.strictObject({ kind: z.literal('json_schema'), schema: jsonSchema }),
    z.strictObject({
      kind: z.literal('units'),
      of: unitKind,
      expected: z.int().min(1).max(MAX_UNITS),
      distinct: z.boolean().optional(),
    }),
    z.strictObject({ kind: z.literal('exclusive') }),
    z.strictObject({ kind: z.literal('deadline') }),
  ])
  .openapi({
    description:
      'What the service checks of the bytes that are delivered: their media type, by the bytes; their size; their SHA-256; that they are JSON of this schema; how many units with content they have (csv_rows are those after the first; empty files, rows and items and lines without a letter, digit or symbol do not count; encrypted bytes are unchecked), or how many that differ from each other (zip_entries by what is in them); exclusive: that this seller delivered the same bytes in no other order before. deadline: in time is essential, so late is worth nothing.',
  })

const criterion = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9_]{1,40}$/, 'must be 1 to 40 small letters, digits or _'),
    text: text(MAX_TEXT_CHARACTERS),
    check: check.optional(),
  })
  .openapi('Criterion', {
    example: {
      id: 'lines',
      text: 'Forty-two lines, none of them twice.',
      check: { kind: 'units', of: 'lines', expected: 42, distinct: true },
    },
  })

/**
 * The criteria of a delivery: at most twenty, each in words and optionally with a check that a machine can
 * make.
 */
const criteriaSchema = z
  .array(criterion)
  .max(MAX_CRITERIA)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'has an id twice')
  .refine((list) => canonicalJson(list).length <= MAX_CHARACTERS, `is above ${MAX_CHARACTERS} characters of JSON`)
  .openapi({
    description: 'What a delivery must fulfil, in words, and each with a check by the service if it can be checked.',
  })

/**
 * Whether the checks of the criteria are the whole test: a delivery that passes all, in time, is as agreed.
 */
const criteriaComplete = z.boolean().openapi({
  description: 'Whether the checks are the whole test: a delivery that passes all of them, in time, is as agreed.',
})

/** Criteria in a request. */
export const measureMembers = {
  criteria: criteriaSchema.optional(),
  criteria_complete: criteriaComplete.optional(),
}

/** Criteria in an answer, where there are some. */
export const measureAnswer = {
  criteria: z.array(criterion).optional(),
  criteria_complete: criteriaComplete.optional(),
}

/** A criterion as stored and sent. */
export type Criterion = z.output<typeof criterion>
/** A check of a criterion. */
export type Check = NonNullable<Criterion['check']>

/**
 * Returns whether bytes can show that they are of a media type: those with a signature, JSON, SVG, and text
 * of any kind.
 */
function isCheckable(type: string): boolean {
  return TEXT.test(type) || type === JSON_TYPE || type === SVG || (supportedMimeTypes as ReadonlySet<string>).has(type)
}

interface Stored {
  criteria: object[] | null
  criteria_complete: boolean
}

/** Returns the criteria of a row in wire form; no member if it has none. */
export function toMeasure({ criteria, criteria_complete }: Stored): {
  criteria?: Criterion[]
  criteria_complete?: boolean
} {
  if (criteria === null || criteria.length === 0) return {}
  // Only verbs store criteria, and they store what `criteriaSchema` accepted.
  return { criteria: criteria as Criterion[], criteria_complete }
}

/** Returns the columns for the criteria of a request; no column for an omitted member. */
export function toColumns(given: { criteria?: Criterion[] | undefined; criteria_complete?: boolean | undefined }) {
  const { criteria, criteria_complete } = given
  return {
    ...(criteria === undefined ? {} : { criteria: JSON.stringify(criteria) }),
    ...(criteria_complete === undefined ? {} : { criteria_complete }),
  }
}
