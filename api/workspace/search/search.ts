import type { Tx } from '../../platform/db/pool.ts'
import { Deadline } from '../../trading/search/deadline.ts'
import type { Reader } from '../membership.ts'
import { correctText } from './correct.ts'
import { findHits, type HitRow, type Wanted } from './find.ts'
import type { Position } from './position.ts'

const MAX_CORRECTION_MS = 500

/**
 * A list of hits, the position of the next list if there is one, and the text that was searched for if it was
 * corrected.
 */
interface HitPage {
  hits: HitRow[]
  next: Position | null
  corrected: string | null
}

/**
 * Finds things that a reader sees in an org by their words, best first. If nothing has the words, corrects
 * misspelt ones. Throws search/timed-out (503) if it takes too long.
 */
export async function searchOrg(
  tx: Tx,
  reader: Reader,
  wanted: Wanted,
  { from, limit }: { from: Position | undefined; limit: number },
): Promise<HitPage> {
  const find = (corrected: string | null) => readPage(tx, reader, wanted, { corrected, from, limit })
  const page = await find(from?.corrected ?? null)
  if (page.hits.length > 0 || from) return page
  const corrected = await new Deadline(MAX_CORRECTION_MS).run(tx, () => correctText(tx, reader, wanted.text))
  if (corrected === undefined) return page
  const second = await find(corrected)
  return second.hits.length > 0 ? second : page
}

async function readPage(
  tx: Tx,
  reader: Reader,
  wanted: Wanted,
  { corrected, from, limit }: { corrected: string | null; from: Position | undefined; limit: number },
): Promise<HitPage> {
  // Reads one row more than the page holds, to know whether another page follows.
  const text = corrected ?? wanted.text
  const found = await findHits(tx, reader, { ...wanted, text }, { from, limit: limit + 1 })
  const hits = found.slice(0, limit)
  const last = hits.at(-1)
  const next = last && found.length > limit ? { newest: from?.newest ?? last.newest, behind: last, corrected } : null
  return { hits, next, corrected }
}
