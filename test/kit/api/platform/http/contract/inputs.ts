import fc from 'fast-check'
import type { Schema } from './document.ts'

const HOSTILE = [
  "' or 1=1 --",
  '../../etc/passwd',
  '%00',
  '\u202e\u0301',
  '{{7*7}}',
  '-0',
  '1e309',
  'NaN',
  '٣',
  '00000000-0000-0000-0000-000000000000',
  'market:order:00000000-0000-0000-0000-000000000000',
]
const MAX_ITEMS = 4
// What has four digits to its year, as RFC 3339 has it.
const DATES = { noInvalidDate: true, min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }
// Postgres has no year 0, and ISO 8601 writes no year of five digits without a sign.
const EDGES = ['0000-01-01', '0000-12-31', '0001-01-01', '2028-02-29', '9999-12-31']
const FORMS = ['T23:59:59Z', 't00:00:00.123456789z', 'T23:59:60Z', 'T23:59:59-23:59', 'T00:00:00+23:59']

/** URNs of things that exist, by prefix. */
export type Known = Readonly<Record<string, readonly string[]>>

/** Values that a schema allows, URNs of what exists among them. */
export function fitting(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { example, anyOf, allOf, const: constant, enum: values, type } = schema
  const prefix = typeof example === 'string' ? /^market:(\w+):/.exec(example)?.[1] : undefined
  if (prefix) return urnOf(prefix, known)
  if (constant !== undefined) return fc.constant(constant)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  const alternatives = anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) return fc.oneof(...alternatives.map((each: Schema) => fitting(each, known)))
  if (Array.isArray(allOf)) return fitting(Object.assign({}, ...allOf), known)
  if (Array.isArray(type)) return fc.oneof(...type.map((each: string) => ofType({ ...schema, type: each }, known)))
  return ofType(schema, known)
}

/** A value that is shown somewhere, the URNs in it of what exists. */
export function like(shown: unknown, known: Known): fc.Arbitrary<unknown> {
  const prefix = typeof shown === 'string' ? /^market:(\w+):/.exec(shown)?.[1] : undefined
  if (prefix) return urnOf(prefix, known)
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return fc.constant(shown)
  return fc.record(Object.fromEntries(Object.entries(shown).map(([name, member]) => [name, like(member, known)])))
}

/**
 * Values that a schema of an object does not allow, each for one reason: a member missing, unknown or of
 * another kind.
 */
export function unfitting(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const required = (schema.required ?? []) as string[]
  const properties = Object.keys((schema.properties ?? {}) as object)
  const valid = fitting(schema, known) as fc.Arbitrary<Record<string, unknown>>
  const without = (name: string) => valid.map(({ [name]: _gone, ...rest }) => rest)
  const wrong = fc.constantFrom<unknown>({ $ne: null }, [[]], { prefix: 1, body: {} })
  const spoilt = fc.tuple(valid, fc.constantFrom(...properties, 'unknown'), wrong)
  return fc.oneof(
    ...required.map(without),
    valid.map((value) => ({ ...value, is_admin: true })),
    spoilt
      .filter(([, name]) => !takesObjects((schema.properties as Record<string, Schema> | undefined)?.[name]))
      .map(([value, name, instead]) => ({ ...value, [name]: instead })),
    fc.constantFrom<unknown>(null, [], 'text', 1, true, [{}]),
  )
}

/** Text that nobody sends who means well, halves of surrogate pairs among it. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes)),
  fc.string({ minLength: 1 }),
)

/** URNs of one kind: mostly of things that exist, some of others, some of nothing. */
function urnOf(prefix: string, known: Known): fc.Arbitrary<string> {
  const nothing = fc.uuid().map((id) => `market:${prefix}:${id}`)
  const own = known[prefix] ?? []
  const all = Object.values(known).flat()
  const others = all.length === 0 ? nothing : fc.constantFrom(...all)
  if (own.length === 0) return fc.oneof(nothing, others)
  return fc.oneof({ arbitrary: fc.constantFrom(...own), weight: 6 }, nothing, others)
}

function takesObjects(schema: Schema | undefined): boolean {
  const text = JSON.stringify(schema ?? '')
  return text.includes('"additionalProperties":{') || text === '{}'
}

function ofType(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'object':
      return object(schema, known)
    case 'array':
      return fc.array(fitting(schema.items as Schema, known), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? MAX_ITEMS), MAX_ITEMS),
      })
    case 'integer':
    case 'number':
      return integer(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return string(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function object(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  if (properties.length === 0) return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
  const members = Object.fromEntries(properties.map(([name, member]) => [name, fitting(member, known)]))
  return fc.record(members, { requiredKeys: (schema.required ?? []) as string[] })
}

function integer({ minimum, exclusiveMinimum, maximum }: Schema): fc.Arbitrary<number> {
  const min =
    minimum === undefined ? (exclusiveMinimum === undefined ? -1 : Number(exclusiveMinimum) + 1) : Number(minimum)
  const max = Number(maximum ?? Number.MAX_SAFE_INTEGER)
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max: Math.min(max, 2_147_483_647) }))
}

function string({ pattern, format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  const times = fc.date(DATES).map((date) => date.toISOString())
  if (format === 'date-time')
    return fc.oneof(times, fc.constantFrom(...EDGES.flatMap((day) => FORMS.map((form) => `${day}${form}`))))
  if (format === 'date')
    return fc.oneof(
      times.map((time) => time.slice(0, 10)),
      fc.constantFrom(...EDGES),
    )
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  if (format === 'email') return fc.emailAddress()
  if (format === 'uuid') return fc.uuid()
  if (format === 'uri') return fc.webUrl()
  const length = { minLength: Number(minLength), maxLength: Math.min(Number(maxLength), 60) }
  const text = fc.string({ unit: 'grapheme', ...length })
  return text.filter((value) => value.length >= length.minLength && value.length <= Number(maxLength))
}
