import { sql } from 'kysely'
import { type Db, openPool } from '../../api/db/pool.ts'
import { inTransaction } from '../../api/db/transaction.ts'
import { type SearchPage, searchAsks } from '../../api/search/search.ts'
import { startDatabase } from '../stack/database.ts'
import { addListings, createSellers, VOCABULARY, wordOf } from './listings.ts'
import { cpuSecondsOf } from './processTime.ts'
import { type BenchRow, beside, figure, judged, percentile } from './rows.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const SAMPLES = 100
const WARM_UP = 10
const PAGE = 20
const GOAL_MS = 50
const CORRECTED_GOAL_MS = 150

/** What is typed, and until when, in milliseconds, 99 of 100 searches should have answered. */
const KINDS: [name: string, query: () => string, goalMs: number][] = [
  ['a word of most', () => word(0, 5), GOAL_MS],
  ['a common word', () => word(5, 500), GOAL_MS],
  ['a rare word', () => word(500, VOCABULARY), GOAL_MS],
  ['two words', () => `${word(0, 100)} ${word(0, 2_000)}`, GOAL_MS],
  ['one of two words', () => `${word(0, 500)} or ${word(0, 500)}`, GOAL_MS],
  ['a phrase', () => `"${word(0, 50)} ${word(0, 50)}"`, GOAL_MS],
  ['a word less another', () => `${word(0, 50)} -${word(0, 5)}`, GOAL_MS],
  ['no words', () => '', GOAL_MS],
  ['a misspelt word', () => misspelt(word(500, 20_000)), CORRECTED_GOAL_MS],
  ['two, misspelt', () => `${misspelt(word(500, 20_000))} ${misspelt(word(0, 500))}`, CORRECTED_GOAL_MS],
]

/**
 * How long a search takes among 10,000, 100,000 and 1,000,000 listings whose words follow Zipf's law. The floor is to read
 * the asks of the same page by their ids.
 */
export async function bench(): Promise<BenchRow[]> {
  const database = await startDatabase()
  const loading = openPool(database.url, { max: 2, onError: () => {} })
  const db = openPool(database.url, { max: 1, onError: () => {} })
  try {
    const sellers = await createSellers(loading)
    const rows: BenchRow[] = []
    let listings = 0
    for (const size of SIZES) {
      await addListings(loading, sellers, size - listings)
      listings = size
      for (const kind of KINDS) rows.push(...(await measure(db, size, kind)))
    }
    return rows
  } finally {
    await db.destroy()
    await loading.destroy()
    await database.stop()
  }
}

async function measure(db: Db, size: number, [name, query, goalMs]: (typeof KINDS)[number]): Promise<BenchRow[]> {
  const ours: number[] = []
  const floors: number[] = []
  const backend = await backendPid(db)
  let cpuBefore = 0
  for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
    if (sample === 0) cpuBefore = await cpuSecondsOf(backend)
    const text = query()
    const search = await timed(() => inTransaction(db, 'read only', (tx) => firstPage(tx, text)))
    const floor = await timed(() => inTransaction(db, 'read only', (tx) => readById(tx, search.answer)))
    if (sample < 0) continue
    ours.push(search.ms)
    floors.push(floor.ms)
  }
  const cpuMs = ((await cpuSecondsOf(backend)) - cpuBefore) * 1000
  const row = (share: number) =>
    beside(`${size} ${name} p${share * 100}`, percentile(ours, share), percentile(floors, share), 'ms')
  const worst = row(0.99)
  return [
    row(0.5),
    judged(worst, `< ${goalMs} ms`, worst.ours < goalMs),
    figure(`${size} ${name}: CPU of Postgres`, cpuMs / SAMPLES, 'ms a search, with its floor'),
  ]
}

// The pool has one connection while we measure: its process is a group of its own.
async function backendPid(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid ?? 0
}

type ReadTx = Parameters<Parameters<typeof inTransaction>[2]>[0]

function firstPage(tx: ReadTx, text: string): Promise<SearchPage> {
  return searchAsks(tx, { text, from: undefined, limit: PAGE })
}

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

function word(from: number, to: number): string {
  return wordOf(from + Math.floor(Math.random() * (to - from)))
}

/** Two letters swapped, and one doubled. */
function misspelt(text: string): string {
  const place = 1 + Math.floor(Math.random() * (text.length - 3))
  return `${text.slice(0, place)}${text.charAt(place + 1)}${text.charAt(place)}${text.slice(place + 2)}${text.at(-1)}`
}
