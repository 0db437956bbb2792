import type { QueryClient } from '@tanstack/react-query'
import type { OperationName } from '../../sdk/market.ts'
import { ApiProblem } from '../../sdk/problem.ts'
import { word } from '../texts/words.ts'

/** A field that changed between what was shown and now. */
export interface Change {
  name: string
  was: string
  is: string
}

const CONFLICTS = [409, 412]
// These fields change with every change and do not say what it was.
const UNTOLD = ['updated_at', 'version']

const found = new WeakMap<object, Change[]>()

/** Returns the fields that had changed when a call was refused. */
export function changesOf(error: object): readonly Change[] {
  return found.get(error) ?? []
}

/**
 * Reads the answers of some operations again. If the error is a conflict, remembers with it which fields have
 * changed.
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

/** The single things that the page shows, by the keys of their queries. */
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
    .map((name) => ({ name: word(name), was: String(was[name]), is: String(is[name]) }))
}

function isThing(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
