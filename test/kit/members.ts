import { expect } from 'chai'
import { getAddress } from 'viem'
import type { z } from 'zod'
import { formatAmount, parseAmount } from '../../protocol/encoding/amounts.ts'

export type Path = readonly (string | number)[]

/**
 * Changes each member of a document in turn, nested ones too, and expects a table of what its checker
 * answers. A member is named by its path, `split.buyer`, and those of all items of a list by one,
 * `path.*.hash`. A member without a row fails, and so does a row without a member. `others` has values for
 * members of which any other value would be no document.
 */
export async function expectEachMember<Document>(
  document: Document,
  answers: Readonly<Record<string, unknown>>,
  answerOf: (changed: Document, member: string) => unknown,
  others: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const found: Record<string, unknown> = {}
  for (const path of pathsOf(document)) {
    const member = nameOf(path)
    const other = changed(document, path, (one) => (member in others ? others[member] : another(one)))
    expect(other, path.join('.')).to.not.deep.equal(document)
    const answer = await answerOf(other as Document, member)
    if (member in found) expect(answer, path.join('.')).to.deep.equal(found[member])
    found[member] = answer
  }
  expect(found).to.deep.equal(answers)
}

/** The members that a document of a schema can have, by name, in the form of `expectEachMember`. */
export function membersOf(schema: z.ZodType): string[] {
  const { shape, element, def } = schema as unknown as Walked
  if (shape)
    return Object.entries(shape).flatMap(([name, inner]) =>
      membersOf(inner).map((below) => (below ? `${name}.${below}` : name)),
    )
  if (element) return membersOf(element).map((below) => (below ? `*.${below}` : '*'))
  return def.innerType ? membersOf(def.innerType) : ['']
}

/** What a schema of zod is made of. */
interface Walked {
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  def: { innerType?: z.ZodType }
}

/** Where each member is. */
export function pathsOf(value: unknown, at: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return inner.length === 0 ? [at] : inner.flatMap(([name, one]) => pathsOf(one, [...at, name]))
}

/** The name of the member at a path. */
export function nameOf(path: Path): string {
  return path.map((name) => (/^\d+$/.test(String(name)) ? '*' : name)).join('.')
}

/** The same, with something else in one place. */
export function replaced(value: unknown, path: Path, by: unknown): unknown {
  return changed(value, path, () => by)
}

/** The same, with one place changed. */
export function changed(value: unknown, [name, ...rest]: Path, change: (one: unknown) => unknown): unknown {
  if (name === undefined) return change(value)
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) }
  const members = copy as Record<string, unknown>
  members[String(name)] = changed(members[String(name)], rest, change)
  return copy
}

/** Another value of the same kind; another one for each number. */
export function another(value: unknown, by = 0): unknown {
  if (value === null) return `0x${'ab'.repeat(32)}`
  if (Array.isArray(value)) return ['7']
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1 + (by % 2)
  if (typeof value === 'bigint') return value + 1n + BigInt(by)
  const text = String(value)
  const amountMicros = parseAmount(text)
  if (amountMicros !== undefined)
    return formatAmount(by % 2 || amountMicros < 2n ? amountMicros + 1n + BigInt(by) : amountMicros / 2n)
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return new Date(Date.parse(text) + 1_000 * (1 + by)).toISOString()
  if (/^0x[0-9a-f]{40}$/i.test(text)) return getAddress(flip(text.toLowerCase(), 2 + (by % 40)))
  if (/^(0x)?[0-9a-f]{64}$/.test(text)) return flip(text, text.length - 64 + (by % 64))
  return SWAPPED[text] ?? `${text.slice(0, -1)}${text.endsWith('7') ? '8' : '7'}`
}

const SWAPPED: Readonly<Record<string, string>> = {
  ...{ contract: 'custodied', custodied: 'contract' },
  ...{ payee: 'payer', payer: 'payee' },
  ...{ party_a: 'party_b', party_b: 'party_a' },
}

/** Changes one digit of a text. */
export function flip(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === '3' ? '4' : '3'}${text.slice(at + 1)}`
}
