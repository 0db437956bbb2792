/** A JSON Schema as the generator wrote it. */
type Schema = Readonly<Record<string, unknown>>

const ID = '01890000-0000-7000-8000-000000000000'
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const KEY = 'dGhpcyBpcyBhbiBleGFtcGxlIG9mIGEga2V5LiAuLiA'
const TIME = '2026-06-01T12:00:00.000Z'

// An example text for each pattern.
const BY_PATTERN: Readonly<Record<string, string>> = {
  '^0x[0-9a-fA-F]{40}$': '0x52908400098527886E0F7030069857D2E4169EE7',
  '^0x[0-9a-f]{64}$': `0x${HASH}`,
  '^[0-9a-f]{64}$': HASH,
  '^(0x)?[0-9a-fA-F]{64}$': HASH,
  '^(0|[1-9][0-9]*)\\.[0-9]{6}$': '20.000000',
  '^[A-Za-z0-9_-]+$': 'ZXhhbXBsZQ',
  '^[A-Za-z0-9_-]{43}$': KEY,
  '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$': KEY,
  '^[A-Za-z0-9_-]{64}$': 'ZXhh'.repeat(16),
  '^[A-Za-z0-9_-]{86}$': `${'ZXhh'.repeat(21)}AA`,
  '^0x([0-9a-fA-F]{2})+$': `0x${HASH}${HASH}1b`,
  '^[a-z0-9]+(-[a-z0-9]+)*$': 'verse-works',
  '^[1-9][0-9]{0,11}$': '1780315200',
  '^[^\\x00-\\x1f\\x7f-\\x9f/\\\\]+$': 'verse.txt',
}
const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: ID,
  email: 'ada@example.com',
  uri: 'https://example.com/',
  binary: '',
}
// An example value for each member name, which means the same in every schema.
const BY_MEMBER: Readonly<Record<string, unknown>> = {
  body: 'Here it is.',
  canonical: '{"disputed":false}',
  challenge: KEY,
  description: 'Forty-two lines of verse.',
  detail: 'What was wrong with this request, and what to do about it.',
  display_name: 'Ada',
  displayName: 'Ada',
  enrolment: `market_enrolment_${KEY}`,
  filename: 'verse.txt',
  key_id: 'ed25519-1',
  message: 'I can do that.',
  name: 'Phone',
  network: 'eip155:31337',
  next_cursor: null,
  output_hash: HASH,
  reason: 'Two lines are missing.',
  rpId: 'localhost',
  secret: `market_pat_${KEY}`,
  signed_authorization: 'eyJmcm9tIjoiMHguLi4ifQ==',
  slug: 'verse-works',
  ticket: `market_ticket_${KEY}`,
  title: 'Verse',
  url: 'https://example.com/',
}

/**
 * Returns an example value of a schema. If `whole`, it has every optional member, as answers do; otherwise
 * only the required ones. Throws for a pattern without an example.
 */
export function exampleOf(
  schema: Schema,
  of: { document: Schema; isWhole: boolean },
  member: string | undefined = undefined,
): unknown {
  const found = resolve(schema, of.document)
  const { example, const: constant, enum: values, anyOf, oneOf, allOf, default: byDefault } = found
  if (example !== undefined) return example
  if (constant !== undefined) return constant
  if (Array.isArray(values)) return values[0]
  if (byDefault !== undefined) return byDefault
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((each: Schema) => exampleOf(each, of, member)))
  const alternatives = anyOf ?? oneOf
  if (Array.isArray(alternatives)) return exampleOf(alternatives[0], of, member)
  return ofType(found, of, member)
}

function ofType(schema: Schema, of: { document: Schema; isWhole: boolean }, member: string | undefined): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return objectOf(schema, of)
  if (type === 'array') return [exampleOf(schema.items as Schema, of, member)]
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'integer' || type === 'number') return numberOf(schema)
  return textOf(schema, member)
}

function objectOf(schema: Schema, of: { document: Schema; isWhole: boolean }): Record<string, unknown> {
  const required = (schema.required ?? []) as string[]
  const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  return Object.fromEntries(
    members
      .filter(([name]) => of.isWhole || required.includes(name))
      .map(([name, value]) => [name, exampleOf(value, of, name)]),
  )
}

function numberOf({ minimum, exclusiveMinimum }: Schema): number {
  if (exclusiveMinimum !== undefined) return Number(exclusiveMinimum) + 1
  return Math.max(Number(minimum ?? 1), 1)
}

function textOf({ pattern, format, type }: Schema, member: string | undefined): unknown {
  const known = member === undefined ? undefined : BY_MEMBER[member]
  if (format === 'date-time') return TIME
  if (format === 'date') return TIME.slice(0, 'YYYY-MM-DD'.length)
  if (typeof pattern === 'string') {
    const text = BY_PATTERN[pattern]
    if (text === undefined) throw new Error(`an example is missing for the form ${pattern}: add one to examples.ts`)
    return text
  }
  if (typeof format === 'string' && format in BY_FORMAT) return BY_FORMAT[format]
  if (known !== undefined && (known !== null || (Array.isArray(type) && type.includes('null')))) return known
  return 'text'
}

function resolve(schema: Schema, document: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema
  const steps = schema.$ref.replace('#/', '').split('/')
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document) as Schema
}
