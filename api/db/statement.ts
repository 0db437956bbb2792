import { createHash } from 'node:crypto'
import type { Tx } from './pool.ts'
import { type Place, runnerOf } from './runner.ts'
import { plan } from './session.ts'

/** Runs a statement with its values, $1 first, and answers its rows. */
export type Statement<Row> = (place: Place, values: readonly unknown[]) => Promise<Row[]>

/**
 * A statement that many calls share: its text is written once, and each connection parses and plans it once. The text must
 * name its columns: after a migration that adds one, Postgres refuses a `*` that it planned before.
 */
export function statement<Row>(text: string): Statement<Row> {
  planOnce(text)
  return async (place, values) => (await runnerOf(place).run(text, values)).rows as Row[]
}

/**
 * The same for a statement whose rows nobody reads: it is on its way when this resolves, and not done. It runs before
 * whatever the transaction says next; where it fails, nothing after it is done, and the transaction fails with its error.
 */
export function unreadStatement(text: string): (tx: Tx, values: readonly unknown[]) => Promise<void> {
  planOnce(text)
  return async (tx, values) => runnerOf(tx).say(text, values)
}

function planOnce(text: string): void {
  plan(text, createHash('sha256').update(text).digest('hex').slice(0, 32))
}
