import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { z } from '@hono/zod-openapi'
import { expect } from 'chai'
import { servedRoutes } from '../../../api/app.ts'

const FILE = new URL('./wire.json', import.meta.url)
// To be set once where a bound is meant to change, and the difference to be read before it is kept.
const REWRITES = process.env.GOLDEN === 'write'

const bounds = z.object({
  ...{ minLength: z.int().optional(), maxLength: z.int().optional() },
  ...{ minItems: z.int().optional(), maxItems: z.int().optional() },
  ...{ minimum: z.number().optional(), maximum: z.number().optional(), exclusiveMinimum: z.number().optional() },
})

/** White space, and characters that show nothing: zero-width ones, fillers, a soft hyphen, a tag. */
const BLANK = ' \t\n\u00a0\u00ad\u200b\u2060\ufeff\u3164\u2800\u{e0041}'

/** The least and the most that a member of a request takes: characters, items or the number itself. */
type Row = [least: number | null, most: number | null]

describe('what a request may be, one below its least, at it, at its most and one above it', () => {
  const all = servedRoutes.flatMap(membersOf)
  const members = new Map(all.flatMap(([name, schema]) => rowOf(schema, name)))
  if (REWRITES) writeFileSync(FILE, linesOf(members))
  const table = z
    .record(z.string(), z.tuple([z.number().nullable(), z.number().nullable()]))
    .parse(existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {})

  test('has a row for every member with a bound (GOLDEN=write adds it)', () => {
    expect(Object.keys(table)).to.deep.equal([...members.keys()])
  })

  test('is taken and refused as the row says [spec 2.14:4]', () => {
    const wrong = Object.entries(table).flatMap(([name, [least, most]]) => {
      const member = members.get(name)?.schema
      if (!member) return []
      const taken = [least, most].filter((size) => size !== null)
      const refused = [least === null ? null : least - 1, most === null ? null : most + 1].filter(
        (size) => size !== null,
      )
      return [
        ...taken.filter((size) => !isWithin(member, size)).map((size) => `${name}: ${size} is refused`),
        ...refused.filter((size) => isWithin(member, size)).map((size) => `${name}: ${size} is taken`),
      ]
    })
    expect(wrong).to.deep.equal([])
  })

  test('takes a time in each form of RFC 3339, except where a signature covers its text', () => {
    const strict = all.filter(([, schema]) => schema instanceof z.ZodISODateTime).map(([name]) => name)
    expect(strict).to.deep.equal(['publishKeys body.issued_at'])
  })

  test('takes no text that shows nothing where it needs one, except secrets and what is searched for', () => {
    const blank = all.filter(
      ([, schema]) => schema instanceof z.ZodString && Number(schema.minLength) > 0 && schema.safeParse(BLANK).success,
    )
    expect(blank.map(([name]) => name)).to.deep.equal([
      'listHumans query.q',
      'createSecret body.value',
      'replaceSecretValue body.value',
      'searchWorkspace query.q',
    ])
  })

  test('takes no day that the database does not have', () => {
    const days = all.filter(([, schema]) => schema instanceof z.ZodISODate)
    expect(days.map(([name]) => name)).to.include.members(['createTask body.due_on', 'listTasks query.due_by'])
    expect(days.filter(([, schema]) => schema.safeParse('0000-01-01').success)).to.deep.equal([])
  })
})

type Member = z.ZodString | z.ZodArray | z.ZodNumber | z.ZodType

function isWithin(member: Member, size: number): boolean {
  if (size < 0 && !(member instanceof z.ZodNumber)) return false
  const value =
    member instanceof z.ZodArray ? Array(size).fill(null) : member instanceof z.ZodNumber ? size : 'a'.repeat(size)
  const { error } = member.safeParse(value)
  return !error?.issues.some(({ code, path }) => path.length === 0 && (code === 'too_small' || code === 'too_big'))
}

function membersOf({ operationId, params, query, body, form }: (typeof servedRoutes)[number]) {
  const parts = Object.entries({ params, query, body, form })
  return parts.flatMap(([part, schema]) => (schema ? leavesOf(schema, `${operationId} ${part}`, new Set()) : []))
}

/** Returns the lists and the values without members in a schema, by their path. */
function leavesOf(schema: z.core.$ZodType, name: string, above: ReadonlySet<unknown>): [string, z.ZodType][] {
  if (above.has(schema)) return []
  const within = new Set([...above, schema])
  const go = (inner: z.core.$ZodType, path = name) => leavesOf(inner, path, within)
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([member, inner]) => go(inner as z.ZodType, `${name}.${member}`))
  if (schema instanceof z.ZodArray) return [[name, schema], ...go(schema.element, `${name}[]`)]
  if (schema instanceof z.ZodRecord) return go(schema.valueType, `${name}{}`)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option, place) => go(option, `${name}|${place}`))
  if (schema instanceof z.ZodPipe) return go(schema.in)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return go(schema.unwrap())
  if (schema instanceof z.ZodLazy) return go(schema.unwrap())
  return schema instanceof z.ZodType ? [[name, schema]] : []
}

function rowOf(schema: z.ZodType, name: string): [string, { schema: z.ZodType; row: Row }][] {
  const told = bounds.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  const { exclusiveMinimum } = told
  const least =
    told.minLength ??
    told.minItems ??
    told.minimum ??
    (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  const row = [least, told.maxLength ?? told.maxItems ?? told.maximum].map((bound) =>
    bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? null : bound,
  ) as Row
  return row.every((bound) => bound === null) ? [] : [[name, { schema, row }]]
}

function linesOf(members: ReadonlyMap<string, { row: Row }>): string {
  const lines = [...members].map(
    ([name, { row }]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row).replace(',', ', ')}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}
