import fc from 'fast-check'
import { getAddress } from 'viem'
import { formatAmount, parseAmount } from '../../protocol/amounts.ts'

// Beyond one change of each field there is.
const RUNS = process.env.MARKET_TEST_DEEP ? 2_000 : 10

type Path = readonly (string | number)[]

/** Changes one field, wherever it is, and another one each time. */
export async function forAnyField<Value>(
  value: Value,
  check: (changed: Value, path: Path) => Promise<void>,
): Promise<void> {
  const paths = pathsOf(value)
  const seen = new Set<string>()
  const property = fc.asyncProperty(fc.constantFrom(...paths), fc.nat({ max: 1_000_000 }), async (path, by) => {
    seen.add(path.join('.'))
    await check(changed(value, path, (one) => another(one, by)) as Value, path)
  })
  await fc.assert(property, { numRuns: RUNS })
  // Chance leaves a few out: those as well.
  for (const path of paths)
    if (!seen.has(path.join('.'))) await check(changed(value, path, (one) => another(one, 0)) as Value, path)
}

/** Where each field is. */
export function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...at, name]))
}

/** The same, with something else in one place. */
export function replaced(value: unknown, path: Path, by: unknown): unknown {
  return changed(value, path, () => by)
}

function changed(value: unknown, [name, ...rest]: Path, change: (one: unknown) => unknown): unknown {
  if (name === undefined) return change(value)
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) }
  const members = copy as Record<string, unknown>
  members[String(name)] = changed(members[String(name)], rest, change)
  return copy
}

/** Another value of the same kind. */
function another(value: unknown, by: number): unknown {
  if (value === null) return `0x${'ab'.repeat(32)}`
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1 + (by % 2)
  const text = String(value)
  const amountMicros = parseAmount(text)
  if (amountMicros !== undefined) return formatAmount(by % 2 ? amountMicros + 1n + BigInt(by) : amountMicros / 2n || 1n)
  if (/^0x[0-9a-f]{40}$/i.test(text)) return getAddress(flip(text.toLowerCase(), 2 + (by % 40)))
  if (/^(0x)?[0-9a-f]{64}$/.test(text)) return flip(text, text.length - 64 + (by % 64))
  if (text === 'contract') return 'custodied'
  if (text === 'custodied') return 'contract'
  if (text === 'payee') return 'payer'
  if (text === 'payer') return 'payee'
  return `${text.slice(0, -1)}${text.endsWith('7') ? '8' : '7'}`
}

/** Changes one digit of a text. */
export function flip(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === '3' ? '4' : '3'}${text.slice(at + 1)}`
}
