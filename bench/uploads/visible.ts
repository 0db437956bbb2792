import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import sharp from 'sharp'
import { type BenchRow, figure, percentile } from '../rows.ts'

const UPLOADS = 100
const POLL_MS = 5
const GIVE_UP_MS = 60_000
const WIDTH = 1_600
const HEIGHT = 1_200
const PARAGRAPHS = 200

/** A form upload of one file, and a search. */
export interface VisibleClient {
  attach: (filename: string, bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>
  /** Returns how many hits there are. */
  search: (words: string) => Promise<number>
}

/**
 * Uploads pictures and texts, one after the other, and measures how long after it was sent each picture has
 * its previews and each text is found by a word of its own. The worker must run. The database is asked when a
 * file is made ready, so that no request is counted that a client need not make; the search is asked then.
 */
export async function visibleRows(databaseUrl: string, client: VisibleClient): Promise<BenchRow[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const until = async (ready: 'preview_state' | 'text_state', bytes: Uint8Array) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const startedMs = performance.now()
    for (;;) {
      const { rows } = await pool.query(`select ${ready} as state from market.files where sha256 = $1`, [sha256])
      const [{ state } = { state: 'pending' }] = rows as { state: string }[]
      if (state === 'ready') return
      if (state !== 'pending' || performance.now() - startedMs > GIVE_UP_MS) throw new Error(`${ready} is ${state}`)
      await delay(POLL_MS)
    }
  }
  try {
    const previewsMs: number[] = []
    const searchesMs: number[] = []
    for (let number = 0; number < UPLOADS; number++) {
      const picture = await pictureOf(number)
      previewsMs.push(
        await timed(async () => {
          await client.attach(`${number}.jpg`, picture)
          await until('preview_state', picture)
        }),
      )
      const word = `word${number}`
      const text = Buffer.from(`${'Lines of verse that others wrote too.\n'.repeat(PARAGRAPHS)}${word}\n`)
      searchesMs.push(
        await timed(async () => {
          await client.attach(`${number}.txt`, text)
          await until('text_state', text)
          if ((await client.search(word)) !== 1) throw new Error(`${word} is not found`)
        }),
      )
    }
    return [
      ...rowsOf(`upload → preview, JPEG ${WIDTH} × ${HEIGHT}`, previewsMs),
      ...rowsOf('upload → searchable', searchesMs),
    ]
  } finally {
    await pool.end()
  }
}

function rowsOf(name: string, samplesMs: readonly number[]): BenchRow[] {
  return [
    figure(`${name}, p50`, percentile(samplesMs, 0.5), 'ms'),
    figure(`${name}, p99`, percentile(samplesMs, 0.99), 'ms'),
  ]
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await act()
  return performance.now() - startedMs
}

/** A picture unlike every other. */
async function pictureOf(number: number): Promise<Uint8Array<ArrayBuffer>> {
  const background = { r: number, g: 255 - number, b: 128 }
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const image = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background, noise } })
  return new Uint8Array(await image.jpeg().toBuffer())
}
