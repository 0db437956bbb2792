import { CompiledQuery } from 'kysely'
import type { Db, Tx } from './pool.ts'

/** What runs statements: a pool, or one transaction. */
export interface Runner {
  run: (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>
  /**
   * Has a statement run whose rows nobody reads. The transaction waits for it before it commits, and fails with what Postgres
   * says against it, as `explain` puts it.
   */
  say: (text: string, values: readonly unknown[], explain?: Explain) => void | Promise<void>
}

/** What Postgres says against a statement, in the words of whoever said it. */
export type Explain = (error: unknown) => unknown

/** The say of what has a run alone. */
export function sayBy(run: Runner['run']): Runner['say'] {
  return async (text, values, explain = (error) => error) => {
    await run(text, values).catch((error: unknown) => {
      throw explain(error)
    })
  }
}

const runners = new WeakMap<Db | Tx, Runner>()

/** Where shared statements run. */
export type Place = Db | Tx | Runner

/** Has the shared statements of a pool run by this, and not by Kysely, which costs as much again. */
export function runBy(db: Db, runner: Runner): void {
  runners.set(db, runner)
}

/** What runs the shared statements of a place. */
export function runnerOf(place: Place): Runner {
  if ('say' in place) return place
  return runners.get(place) ?? kyselyRunner(place)
}

function kyselyRunner(db: Db | Tx): Runner {
  const run: Runner['run'] = (text, values) => db.executeQuery(CompiledQuery.raw(text, [...values]))
  return { run, say: sayBy(run) }
}
