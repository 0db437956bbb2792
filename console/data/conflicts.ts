import type { QueryClient } from '@tanstack/react-query'
import type { OperationName } from '../../sdk/market.ts'
import { ApiProblem } from '../../sdk/problem.ts'

/** A member of a thing that was another when the person decided what to do. */
export interface Change {
  name: string
  was: string
  is: string
}

const CONFLICTS = [409, 412]
// They change with every change, and say nothing of what it was.
const UNTOLD = ['updated_at', 'version']

const found = new WeakMap<object, Change[]>()

/** Returns what had changed when a call was refused. */
export function changesOf(error: object): readonly Change[] {
  return found.get(error) ?? []
}

/**
 * Reads again what some operations answered. Where the error says that things are otherwise than the person saw, it is
 * kept with the error what is different now.
 */
export async function readAgain(client: QueryClient, reads: readonly OperationName[], error: unknown): Promise<void> {
  const before = isConflict(error) ? shown(client, reads) : []
  await Promise.all(reads.map((name) => client.invalidateQueries({ queryKey: [name] })))
  if (!isConflict(error)) return
  const after = new Map(shown(client, reads))
  found.set(
    error,
    before.flatMap(([key, was]) => differences(was, after.get(key))),
  )
}

function isConflict(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && CONFLICTS.includes(error.status)
}

/** What the page shows of single things, by what was read. */
function shown(client: QueryClient, reads: readonly OperationName[]): [string, unknown][] {
  return reads
    .filter((name) => name.startsWith('get'))
    .flatMap((name) => client.getQueriesData({ queryKey: [name], type: 'active' }))
    .map(([key, data]) => [JSON.stringify(key), data])
}

function differences(was: unknown, is: unknown): Change[] {
  if (!isThing(was) || !isThing(is)) return []
  return Object.keys(was)
    .filter((name) => !UNTOLD.includes(name) && isPlain(was[name]) && isPlain(is[name]) && was[name] !== is[name])
    .map((name) => ({ name: name.replaceAll('_', ' '), was: String(was[name]), is: String(is[name]) }))
}

function isThing(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
