import { z } from 'zod'
import type { Rank } from './matches.ts'

/** Where the next page of a search begins. */
export interface Position {
  /** The corrected text that is searched for, or null if the request's text was not corrected. */
  corrected: string | null
  /** The number of the newest candidate, or listing, at the first page: later pages include no newer ones. */
  newest: bigint
  /** The last match of the previous page. */
  behind: Rank
}

const number = z.string().transform(BigInt)
const position = z.tuple([z.string().nullable(), number, number, number])

/** Returns a position in the format of a cursor. */
export function formatPosition({ corrected, newest, behind }: Position): string {
  return JSON.stringify([corrected, ...[newest, behind.score, behind.number].map(String)])
}

/**
 * Parses what formatPosition wrote. Cursors are authenticated, so any other text is a fault of the service:
 * it throws an Error.
 */
export function parsePosition(text: string): Position {
  const [corrected, newest, score, number] = position.parse(JSON.parse(text))
  return { corrected, newest, behind: { score, number } }
}
