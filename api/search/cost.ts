import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { alternativesOf, type SearchQuery } from './query.ts'

/** What a query costs to look up, by the statistics of words: finding out costs no look at the index. */
export interface SearchCost {
  /** How many listings match. Each is read. */
  matches: number
  /** How many words each alternative asks for, and how many listings have the rarest of them. */
  alternatives: { words: number; rarest: number }[]
}

/** What the planner expects of a query, and of each of its words. */
export async function expectedCost(tx: Tx, query: SearchQuery): Promise<SearchCost> {
  const alternatives = alternativesOf(query)
  const words = [...new Set(alternatives.flat())]
  const [matches = 0, ...ofWords] = await expectedMatches(tx, [query.indexable, ...words])
  const ofWord = new Map(words.map((word, place) => [word, ofWords[place] ?? 0]))
  return {
    matches,
    alternatives: alternatives.map((all) => ({
      words: all.length,
      rarest: Math.min(...all.map((word) => ofWord.get(word) ?? 0)),
    })),
  }
}

/**
 * How many entries of the index are compared for one lookup in a run of so many listings: of an alternative, it goes
 * through those of the rarest word, or those of the run where they are fewer, and looks each other word up for each.
 */
export function stepsOf({ alternatives }: SearchCost, listings: number): number {
  return alternatives.reduce((sum, { words, rarest }) => sum + words * Math.min(rarest, listings), 0)
}

async function expectedMatches(tx: Tx, queries: readonly string[]): Promise<number[]> {
  const arms = queries.map((query) => sql`select from market.asks where search @@ ${query}::tsquery`)
  // The last arm is there so that the plan has arms even for one query.
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { Plans?: { 'Plan Rows': number }[] } }] }>`
    explain (format json) ${sql.join(arms, sql` union all `)} union all select`.execute(tx)
  return (rows[0]?.['QUERY PLAN'][0].Plan.Plans ?? []).slice(0, queries.length).map((plan) => plan['Plan Rows'])
}
