import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type BenchRow, figure, judged } from './rows.ts'

const KB = 1_000
const IDLE_MS = 10_000
/** A backend reports what it wrote once it is idle for so long. */
const REPORTED_AFTER_MS = 1_500
const GOALS = { rows: 120, kilobytes: 50, transactionIds: 35 }

/** What a database has written up to a moment. */
interface Written {
  inserted: number
  updated: number
  walBytes: number
  transactionIds: number
  atMs: number
}

/**
 * Measures what some work writes to a database beyond what is written while nothing happens. `end` returns
 * the rows for so many trades.
 */
export async function watchWrites(databaseUrl: string): Promise<{ end: (trades: number) => Promise<BenchRow[]> }> {
  const quiet = await read(databaseUrl)
  await delay(IDLE_MS)
  const before = await read(databaseUrl)
  const idle = difference(quiet, before)
  return {
    end: async (trades) => {
      const all = difference(before, await read(databaseUrl))
      const each = (what: keyof Written) => (all[what] - (idle[what] * all.atMs) / idle.atMs) / trades
      const [inserted, updated, kilobytes, ids] = [
        each('inserted'),
        each('updated'),
        each('walBytes') / KB,
        each('transactionIds'),
      ]
      const most = (row: BenchRow, goal: number) => judged(row, `≤ ${goal}`, row.ours <= goal)
      return [
        figure('rows inserted', inserted, 'a trade'),
        figure('rows updated', updated, 'a trade'),
        most(figure('rows', inserted + updated, 'a trade'), GOALS.rows),
        most(figure('log of Postgres', kilobytes, 'kB a trade'), GOALS.kilobytes),
        most(figure('transaction ids', ids, 'a trade'), GOALS.transactionIds),
      ]
    },
  }
}

function difference(from: Written, to: Written): Written {
  const names = Object.keys(from) as (keyof Written)[]
  return Object.fromEntries(names.map((name) => [name, to[name] - from[name]])) as unknown as Written
}

async function read(databaseUrl: string): Promise<Written> {
  await delay(REPORTED_AFTER_MS)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Omit<Written, 'atMs'>>(`
      select sum(n_tup_ins)::float8 as inserted, sum(n_tup_upd)::float8 as updated,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes",
        pg_snapshot_xmax(pg_current_snapshot())::text::float8 as "transactionIds"
      from pg_stat_user_tables`)
    const [written] = rows
    if (!written) throw new Error('Postgres counts nothing')
    return { ...written, atMs: performance.now() }
  } finally {
    await client.end()
  }
}
