import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { searchProblems } from './problems.ts'

const QUERY_CANCELED = '57014'
// Compiling a plan takes longer than nearly any search.
const JIT = 'off'
// A random page costs little more than a sequential one, in memory or on a solid-state disk. With Postgres'
// default of 4 the planner would read a hundred thousand of the newest listings to avoid the index.
const RANDOM_PAGE_COST = '1.1'

/** The total time of the statements of one search. */
export class Deadline {
  readonly #endMs: number

  constructor(timeoutMs: number) {
    this.#endMs = performance.now() + timeoutMs
  }

  /**
   * Runs a part of the search. Postgres cancels its statement when the time is over, but no later statement
   * of the transaction. Returns the result of the part. Throws search/timed-out (503) if the time is over
   * before the part or during it.
   */
  async run<Answer>(tx: Tx, part: () => Promise<Answer>): Promise<Answer> {
    const leftMs = Math.ceil(this.#endMs - performance.now())
    if (leftMs <= 0) throw timedOut()
    try {
      await sql`
        select set_config('statement_timeout', ${String(leftMs)}, true), set_config('jit', ${JIT}, true),
          set_config('random_page_cost', ${RANDOM_PAGE_COST}, true)`.execute(tx)
      const answer = await part()
      await sql`set local statement_timeout to default`.execute(tx)
      return answer
    } catch (error) {
      throw isCanceled(error) ? timedOut() : error
    }
  }
}

function isCanceled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === QUERY_CANCELED
}

function timedOut(): Problem {
  return new Problem(searchProblems.timedOut, { detail: 'Search again in a moment, or for fewer or rarer words.' })
}
