import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'

/** What there is to search. */
export interface Listed {
  /** The number of the newest listing; 0 before there is one. */
  newest: bigint
  /** Another one whenever Postgres counted the words anew, in whatever database. */
  countOfWords: string
}

const selectListed = statement<Listed>(`
  select coalesce((select number from market.asks order by number desc limit 1), 0) as newest,
    concat_ws(' ', current_database(), pg_stat_get_last_analyze_time(asks), pg_stat_get_last_autoanalyze_time(asks))
      as "countOfWords"
  from (select 'market.asks'::regclass::oid) listings (asks)`)

/** What there is to search, as this transaction sees it. */
export async function readListed(tx: Tx): Promise<Listed> {
  const [listed] = await selectListed(tx, [])
  if (!listed) throw new Error('a select without conditions answered no row')
  return listed
}
