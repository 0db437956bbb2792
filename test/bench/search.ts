import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { Problem } from '../../api/errors.ts'
import { type Db, openPool } from '../../api/platform/db/pool.ts'
import { inTransaction } from '../../api/platform/db/transaction.ts'
import { type SearchInput, type SearchPage, searchAsks } from '../../api/trading/search/search.ts'
import { startDatabase } from '../stack/database.ts'
import { addListings, createSellers } from './listings.ts'
import { KINDS, type Kind } from './queries.ts'
import { type BenchRow, beside, figure, judged, percentile } from './rows.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const SAMPLES = 200
const MIN_SAMPLES = 30
const WARM_UP = 10
// For one kind at one size. A slow machine takes fewer samples.
const BUDGET_MS = 4_000
const PAGE = 20
const NANOSECONDS_A_MS = 1e6

/**
 * Measures a search among 10,000, 100,000 and 1,000,000 listings whose words follow Zipf's law. The yardstick reads the asks
 * of the same page by their ids. A busy machine stretches the time of the clock, so each row also has the CPU that Postgres
 * used and how long it waited for a core. Vacuum, statistics, checkpoint and garbage collection end before the measurement.
 */
export async function bench(): Promise<BenchRow[]> {
  const database = await startDatabase()
  const db = openPool(database.url, { max: 1, onError: () => {} })
  try {
    const sellers = await createSellers(db)
    const rows: BenchRow[] = []
    let listings = 0
    for (const size of SIZES) {
      const startedMs = performance.now()
      await addListings(database.url, sellers, size - listings)
      rows.push(figure(`${size} listings: load`, (performance.now() - startedMs) / 1000, 's'))
      await sql`checkpoint`.execute(db)
      collectGarbage()
      listings = size
      rows.push(...(await measureSearches(db, size)))
    }
    return rows
  } finally {
    await db.destroy()
    await database.stop()
  }
}

/** Measures every kind of search on a database of `size` listings. */
export async function measureSearches(db: Db, size: number, kinds = KINDS): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const kind of kinds) rows.push(...(await measure(db, size, kind)))
  return rows
}

// The texts of a million listings: to collect them would stop this process in the middle of a search.
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

interface Sample {
  ms: number
  cpuMs: number
  waitedMs: number
  floorMs: number
}

async function measure(db: Db, size: number, kind: Kind): Promise<BenchRow[]> {
  const pid = await backendPid(db)
  const samples: Sample[] = []
  for (let run = 0; run < WARM_UP; run++) await sample(db, pid, kind)
  const endMs = performance.now() + BUDGET_MS
  while (samples.length < SAMPLES && (performance.now() < endMs || samples.length < MIN_SAMPLES))
    samples.push(...(await sample(db, pid, kind)))
  const row = (share: number) => {
    const at = (name: keyof Sample) =>
      percentile(
        samples.map((one) => one[name]),
        share,
      )
    const name = `${size} ${kind.name} p${share * 100}`
    return {
      wall: beside(name, at('ms'), at('floorMs'), 'ms'),
      cpu: figure(`${name}: CPU`, at('cpuMs'), 'ms'),
      waited: figure(`${name}: waited for a core`, at('waitedMs'), 'ms'),
    }
  }
  const [half, worst] = [row(0.5), row(0.99)]
  const held = (one: BenchRow) => judged(one, `< ${kind.goalMs} ms`, one.ours < kind.goalMs)
  return [half.wall, held(worst.wall), half.cpu, held(worst.cpu), worst.waited]
}

/** Measures one search and its yardstick; of a search of several pages, all pages but the first. */
async function sample(db: Db, pid: number, { query, pages = 1 }: Kind): Promise<Sample[]> {
  const input: SearchInput = { text: query(), from: undefined, limit: PAGE }
  const samples: Sample[] = []
  for (let page = 1; page <= pages; page++) {
    const before = await scheduledMs(pid)
    const search = await timed(() => searchOnce(db, input))
    const after = await scheduledMs(pid)
    const [cpuMs, waitedMs] = [after.ran - before.ran, after.waited - before.waited]
    const floor = await timed(() => inTransaction(db, 'read only', (tx) => readById(tx, search.answer)))
    if (page > 1 || pages === 1) samples.push({ ms: search.ms, cpuMs, waitedMs, floorMs: floor.ms })
    if (search.answer.next === null) break
    input.from = search.answer.next
  }
  return samples
}

/** A page of a search, or an empty one after the time at which the API answers 503. */
async function searchOnce(db: Db, input: SearchInput): Promise<SearchPage> {
  try {
    return await inTransaction(db, 'read only', (tx) => searchAsks(tx, input))
  } catch (error) {
    if (error instanceof Problem && error.problem === 'search/timed-out')
      return { asks: [], next: null, corrected: null }
    throw error
  }
}

async function backendPid(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid ?? 0
}

// In nanoseconds, where /proc/<pid>/stat counts hundredths of a second. Linux only.
async function scheduledMs(pid: number): Promise<{ ran: number; waited: number }> {
  const [ran, waited] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')
  return { ran: Number(ran) / NANOSECONDS_A_MS, waited: Number(waited) / NANOSECONDS_A_MS }
}

type ReadTx = Parameters<Parameters<typeof inTransaction>[2]>[0]

async function readById(tx: ReadTx, { asks }: SearchPage): Promise<unknown> {
  const ids = asks.map(({ id }) => id)
  return tx
    .selectFrom('market.asks')
    .select(['id', 'title', 'description'])
    .where('id', 'in', [...ids, NOBODY])
    .execute()
}

const NOBODY = '00000000-0000-0000-0000-000000000000'

async function timed<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const startedMs = performance.now()
  const answer = await work()
  return { answer, ms: performance.now() - startedMs }
}
