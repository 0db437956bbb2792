import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { Problem } from '../api/errors.ts'
import { type Db, openPool, type Tx } from '../api/platform/db/pool.ts'
import { inTransaction } from '../api/platform/db/transaction.ts'
import { type SearchInput, searchAsks } from '../api/trading/search/internal/search.ts'
import type { Reader } from '../api/workspace/membership.ts'
import { findHits } from '../api/workspace/search/internal/find.ts'
import type { Position } from '../api/workspace/search/internal/position.ts'
import { startDatabase } from '../test/kit/stack/database.ts'
import { addListings, createSellers } from './listings.ts'
import { addPages, createReader } from './pages.ts'
import { KINDS, type Kind, MIX, PAGE_KINDS } from './queries.ts'
import { type BenchRow, beside, figure, judged, percentile } from './rows.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const PAGES = 200_000
const SAMPLES = 200
const MIN_SAMPLES = 30
const WARM_UP = 5
// For one kind at one size. A slow machine takes fewer samples.
const BUDGET_MS = 1_000
const LIMIT = 20
const NANOSECONDS_A_MS = 1e6

/** A page of what a search found, and how to read the same by its ids. */
interface Answer {
  next: unknown
  readById: (tx: Tx) => Promise<unknown>
}

/** A search as its handler runs it: a page from a position on, which is undefined for the first. */
type Search = (tx: Tx, text: string, from: unknown, how: Kind['how']) => Promise<Answer>

/**
 * Measures a search among 10,000, 100,000 and 1,000,000 listings, and one among 200,000 pages of an org,
 * whose words follow Zipf's law: a realistic mix at each size, and every shape of query at the largest. The
 * yardstick reads the same rows by their ids. A busy machine stretches the time of the clock, so each row
 * also has the CPU that Postgres used and how long it waited for a core. Vacuum, statistics, checkpoint and
 * garbage collection end before the measurement.
 */
export async function bench(): Promise<BenchRow[]> {
  const database = await startDatabase()
  const db = openPool(database.url, { max: 1, onError: () => {} })
  const load = async (name: string, work: () => Promise<unknown>) => {
    const startedMs = performance.now()
    await work()
    const row = figure(`${name}: load`, (performance.now() - startedMs) / 1000, 's')
    await sql`checkpoint`.execute(db)
    collectGarbage()
    return row
  }
  try {
    const sellers = await createSellers(db)
    const rows: BenchRow[] = []
    let listings = 0
    for (const size of SIZES) {
      const name = `${size} listings`
      rows.push(await load(name, () => addListings(database.url, sellers, size - listings)))
      listings = size
      rows.push(...(await measureAll(db, name, searchListings, size === SIZES.at(-1) ? KINDS : [MIX])))
    }
    const reader = await createReader(db)
    const name = `${PAGES} pages`
    rows.push(await load(name, () => addPages(database.url, reader, PAGES)))
    rows.push(...(await measureAll(db, name, searchPages(reader), PAGE_KINDS)))
    return rows
  } finally {
    await db.destroy()
    await database.stop()
  }
}

async function measureAll(db: Db, name: string, search: Search, kinds: readonly Kind[]): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const kind of kinds) rows.push(...(await measure(db, `${name}, ${kind.name}`, search, kind)))
  return rows
}

const searchListings: Search = async (tx, text, from, how) => {
  const { asks, next } = await searchAsks(tx, { ...how, text, from: from as SearchInput['from'], limit: LIMIT })
  const ids = [NOBODY, ...asks.map(({ id }) => id)]
  const columns = ['id', 'title', 'description'] as const
  return { next, readById: (at) => at.selectFrom('market.asks').select(columns).where('id', 'in', ids).execute() }
}

function searchPages(reader: Reader): Search {
  return async (tx, text, from) => {
    const page = { from: from as Position | undefined, limit: LIMIT }
    const hits = await findHits(tx, reader, { text, type: undefined, spaceId: undefined }, page)
    const last = hits.at(-1)
    const ids = [NOBODY, ...hits.map(({ id }) => id)]
    const columns = ['id', 'title', 'text'] as const
    return {
      next: last && hits.length === LIMIT ? { newest: page.from?.newest ?? last.newest, behind: last } : null,
      readById: (at) => at.selectFrom('market.pages').select(columns).where('id', 'in', ids).execute(),
    }
  }
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

async function measure(db: Db, name: string, search: Search, kind: Kind): Promise<BenchRow[]> {
  const pid = await backendPid(db)
  const samples: Sample[] = []
  for (let run = 0; run < WARM_UP; run++) await sample(db, pid, search, kind)
  const endMs = performance.now() + BUDGET_MS
  while (samples.length < SAMPLES && (performance.now() < endMs || samples.length < MIN_SAMPLES))
    samples.push(...(await sample(db, pid, search, kind)))
  const row = (share: number) => {
    const at = (name: keyof Sample) =>
      percentile(
        samples.map((one) => one[name]),
        share,
      )
    const row = `${name} p${share * 100}`
    return {
      wall: beside(row, at('ms'), at('floorMs'), 'ms'),
      cpu: figure(`${row}: CPU`, at('cpuMs'), 'ms'),
      waited: figure(`${row}: waited for a core`, at('waitedMs'), 'ms'),
    }
  }
  const [half, worst] = [row(0.5), row(0.99)]
  const held = (one: BenchRow) => judged(one, `< ${kind.goalMs} ms`, one.ours < kind.goalMs)
  return [half.wall, held(worst.wall), half.cpu, held(worst.cpu), worst.waited]
}

/** Measures one search and its yardstick; of a search of several pages, all pages but the first. */
async function sample(db: Db, pid: number, search: Search, { query, pages = 1, how }: Kind): Promise<Sample[]> {
  const text = query()
  const samples: Sample[] = []
  let from: unknown
  for (let page = 1; page <= pages; page++) {
    const before = await scheduledMs(pid)
    const { ms, answer } = await timed(() => searchOnce(db, search, text, from, how))
    const after = await scheduledMs(pid)
    const [cpuMs, waitedMs] = [after.ran - before.ran, after.waited - before.waited]
    const floor = await timed(() => inTransaction(db, 'read only', answer.readById))
    if (page > 1 || pages === 1) samples.push({ ms, cpuMs, waitedMs, floorMs: floor.ms })
    if (answer.next === null) break
    from = answer.next
  }
  return samples
}

/** A page of a search, or an empty one after the time at which the API answers 503. */
async function searchOnce(db: Db, search: Search, text: string, from: unknown, how: Kind['how']): Promise<Answer> {
  try {
    return await inTransaction(db, 'read only', (tx) => search(tx, text, from, how))
  } catch (error) {
    if (error instanceof Problem && error.problem === 'search/timed-out')
      return { next: null, readById: async () => undefined }
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

const NOBODY = '00000000-0000-0000-0000-000000000000'

async function timed<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const startedMs = performance.now()
  const answer = await work()
  return { answer, ms: performance.now() - startedMs }
}
