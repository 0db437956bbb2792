import pg from 'pg'
import { startDurableDatabase } from '../test/kit/stack/database.ts'
import { type Contestant, contest, median, medianRatio, type Round, type Rounds } from './ledger/contest.ts'
import { startPgledger } from './ledger/pgledger.ts'
import { batchedPosting, openBooks, posting, release, spreadRelease, verb } from './ledger/postings.ts'
import { startTpcB } from './ledger/tpcb.ts'
import { type BenchRow, beside, judged } from './rows.ts'

const CLIENTS = 24
const ROUNDS = 5
const TURNS = 5
const TURN_MS = 300

/** What is compared with what, and the least ratio that the budget allows; null where it has none. */
const COMPARISONS: [name: string, ours: string, yardstick: string, goal: number | null][] = [
  ['posting, one a transaction ÷ TPC-B', 'posting', 'TPC-B', 1],
  ['posting, 100 a transaction ÷ TPC-B', 'postings', 'TPC-B', 3],
  ['verb with event and audit ÷ TPC-B', 'verb', 'TPC-B', null],
  ['release, fee account shared ÷ not', 'release', 'release without', null],
  ['posting ÷ pgledger', 'posting', 'pgledger', null],
]

/**
 * The ledger beside pgbench's TPC-B: on one Postgres that syncs each commit, with as many clients of the same
 * driver, in turns. Many clients: with few, all wait for the disk, and each is as fast as any other.
 * PGLEDGER_SQL names the files of pgledger, if it is to take part.
 */
export async function bench(): Promise<BenchRow[]> {
  const database = await startDurableDatabase()
  const db = await openBooks(database.url, CLIENTS)
  const files = process.env.PGLEDGER_SQL
  const others: Record<string, Contestant> = {
    'TPC-B': await startTpcB(database.url, CLIENTS),
    ...(files ? { pgledger: await startPgledger(database.url, files, CLIENTS) } : {}),
  }
  const ours: Record<string, Contestant> = {
    posting: posting(db),
    postings: batchedPosting(db),
    verb: verb(db),
    release: release(db),
    'release without': spreadRelease(db),
  }
  try {
    const postgres = await postmaster(database.url)
    const settings = { rounds: ROUNDS, turns: TURNS, turnMs: TURN_MS, clients: CLIENTS, postgres }
    const rounds = await contest({ ...others, ...ours }, settings)
    return COMPARISONS.flatMap((comparison) => rowsOf(rounds, comparison))
  } finally {
    await Promise.all(Object.values(others).map(({ stop }) => stop?.()))
    await db.destroy()
    await database.stop()
  }
}

function rowsOf(rounds: Rounds, [name, ours, yardstick, goal]: (typeof COMPARISONS)[number]): BenchRow[] {
  if (!rounds[yardstick]) return []
  const compared = (figure: keyof Round, unit: string) => ({
    ...beside(name, median(rounds, ours, figure), median(rounds, yardstick, figure), unit),
    ratio: medianRatio(rounds, ours, yardstick, figure),
  })
  const rate = compared('perSecond', 'per s')
  return [
    goal === null ? rate : judged(rate, `≥ ${goal}`, rate.ratio >= goal),
    compared('perCpuSecond', 'a CPU second of client and Postgres'),
  ]
}

/** The process whose group is Postgres. */
async function postmaster(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: string }>(
      "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
    )
    return Number(rows[0]?.pid)
  } finally {
    await client.end()
  }
}
