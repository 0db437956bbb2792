import { createHash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Db, Tx } from './pool.ts'

const names = new Map<string, string>()

/** Runs a statement with its values, $1 first, and answers its rows. */
export type Statement<Row> = (db: Db | Tx, values: readonly unknown[]) => Promise<Row[]>

/**
 * A statement that many calls share: its text is written once, and each connection parses and plans it once. The text must
 * name its columns: after a migration that adds one, Postgres refuses a `*` that it planned before.
 */
export function statement<Row>(text: string): Statement<Row> {
  names.set(text, createHash('sha256').update(text).digest('hex').slice(0, 32))
  return async (db, values) => (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

/** What a connection knows a statement by, or undefined for a text that it reads anew each time. */
export function nameOf(text: string): string | undefined {
  return names.get(text)
}
