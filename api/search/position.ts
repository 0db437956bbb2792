import { z } from 'zod'
import type { Window } from './candidates.ts'
import type { Rank } from './rank.ts'

/** Where the next page begins, and what it searches for. */
export interface Position {
  /** What was searched for, where it was not what was asked. */
  corrected: string | null
  /** The last row already seen, and the window it is in; or none of a window that begins here. */
  at: { top: bigint } | { window: Window; behind: Rank }
}

const number = z.string().transform(BigInt)
const position = z.union([
  z.tuple([z.string().nullable(), number]),
  z.tuple([z.string().nullable(), number, number, number, number]),
])

/** A position as a cursor holds it. */
export function formatPosition({ corrected, at }: Position): string {
  if ('top' in at) return JSON.stringify([corrected, String(at.top)])
  const { window, behind } = at
  return JSON.stringify([corrected, ...[window.top, window.floor, behind.score, behind.number].map(String)])
}

/** Reads what formatPosition wrote: cursors are authenticated, so that anything else is a fault of ours. */
export function parsePosition(text: string): Position {
  const [corrected, top, floor, score, number] = position.parse(JSON.parse(text))
  if (floor === undefined || score === undefined || number === undefined) return { corrected, at: { top } }
  return { corrected, at: { window: { top, floor }, behind: { score, number } } }
}
