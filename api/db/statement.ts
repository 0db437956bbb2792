import { createHash } from 'node:crypto'
import type { Tx } from './pool.ts'
import { type Place, runnerOf } from './runner.ts'
import { plan } from './session.ts'

// What market.refuse_unchanged raises.
const UNCHANGED = 'MK001'

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

/**
 * The same for an UPDATE that must find its row, because the caller holds it or nothing of the verb may happen without: where it
 * changes none, nothing of its transaction is done, and the transaction fails with what `otherwise` makes.
 */
export function demandedStatement(
  update: string,
): (tx: Tx, values: readonly unknown[], otherwise: () => Error) => Promise<void> {
  const text = `with changed as (${update} returning true)
    select case when not exists (select from changed) then market.refuse_unchanged() end`
  planOnce(text)
  return async (tx, values, otherwise) => {
    const explain = (error: unknown) => (codeOf(error) === UNCHANGED ? otherwise() : error)
    return runnerOf(tx).say(text, values, explain)
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function planOnce(text: string): void {
  plan(text, createHash('sha256').update(text).digest('hex').slice(0, 32))
}
