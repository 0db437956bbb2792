import { randomBytes, randomUUID } from 'node:crypto'
import type { Statement } from './record.ts'

/** What a bare route does for one account: its statements, and the answer it gives. Values as JSON can hold them. */
export interface Template {
  authorization: string
  statements: { text: string; values: Value[] }[]
  /** UUIDs that each request makes anew. */
  fresh: string[]
  answer: { status: number; body: string }
}

/** A value of a statement: as it was recorded, holding UUIDs that each request makes anew, or made anew itself. */
export type Value = { kept: unknown } | { text: string } | { hash: true } | { bytes: number }

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const HASH = /^0x[0-9a-f]{64}$/

/** The statements of a request, given those of another that asked for the same: what differs is made anew each time. */
export function templateOf(one: readonly Statement[], other: readonly Statement[]) {
  const isSame = one.length === other.length && one.every(({ text }, index) => text === other[index]?.text)
  if (!isSame) throw new Error('two requests that ask for the same do not send the same statements')
  const known = new Set(textOf(other).match(UUID))
  const fresh = [...new Set(textOf(one).match(UUID))].filter((uuid) => !known.has(uuid))
  const statements = one.map(({ text, values }, index) => ({
    text,
    values: values.map((value, position) => toValue(value, other[index]?.values[position] ?? null, fresh)),
  }))
  return { statements, fresh }
}

function textOf(statements: readonly Statement[]): string {
  return JSON.stringify(statements)
}

// What is not made anew is sent as it was: looking for ids in it would be work of the bench, not of the route.
function toValue(value: unknown, other: unknown, fresh: readonly string[]): Value {
  if (Buffer.isBuffer(value))
    return Buffer.isBuffer(other) && value.equals(other)
      ? { kept: `\\x${value.toString('hex')}` }
      : { bytes: value.length }
  if (typeof value !== 'string' || value === other) return { kept: value }
  if (HASH.test(value)) return { hash: true }
  return fresh.some((id) => value.includes(id)) ? { text: value } : { kept: value }
}

/** Values for one request. */
export function valuesFor({ statements, fresh }: Pick<Template, 'statements' | 'fresh'>): unknown[][] {
  const renewed = new Map(fresh.map((uuid) => [uuid, randomUUID()]))
  const renew = (text: string) => text.replaceAll(UUID, (uuid) => renewed.get(uuid) ?? uuid)
  return statements.map(({ values }) =>
    values.map((value) => {
      if ('kept' in value) return value.kept
      if ('text' in value) return renew(value.text)
      if ('hash' in value) return `0x${randomBytes(32).toString('hex')}`
      return randomBytes(value.bytes)
    }),
  )
}
