import { z } from 'zod'

/** The rank of a hit: by score, then newest first. */
export interface Rank {
  score: number
  id: string
}

/** Where the next page of a search begins. */
export interface Position {
  /** The id of the newest candidate of the first page: later pages include no newer ones. */
  newest: string
  /** The last hit of the previous page. */
  behind: Rank
  /** The text that is searched for, if the request's text was corrected. */
  corrected?: string | null
}

const position = z.tuple([z.string(), z.number(), z.string(), z.string().nullable()])

/** Returns a position in the format of a cursor. */
export function formatPosition({ newest, behind, corrected = null }: Position): string {
  return JSON.stringify([newest, behind.score, behind.id, corrected])
}

/**
 * Parses a text that formatPosition wrote. Cursors are authenticated, so any other text is a fault: it throws
 * an Error.
 */
export function parsePosition(text: string): Position {
  const [newest, score, id, corrected] = position.parse(JSON.parse(text))
  return { newest, behind: { score, id }, corrected }
}
