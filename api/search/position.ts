import { z } from 'zod'
import type { Rank } from './rank.ts'
import type { Window } from './runs.ts'

/** Where the next page begins, and what it searches for. */
export interface Position {
  /** What was searched for, where it was not what was asked. */
  corrected: string | null
  /** Where the listings are that came first for their title; its top is the newest listing when the search began. */
  titled: Window
  at: Start
}

/** The last row already seen, and the window it is in; or none of a window that begins here. */
export type Start = { top: bigint } | { window: Window; behind: Rank }

const number = z.string().transform(BigInt)
const position = z.union([
  z.tuple([z.string().nullable(), number, number, number]),
  z.tuple([z.string().nullable(), number, number, number, number, number, number]),
])

/** A position as a cursor holds it. */
export function formatPosition({ corrected, titled, at }: Position): string {
  const place = 'top' in at ? [at.top] : [at.window.top, at.window.floor, at.behind.score, at.behind.number]
  return JSON.stringify([corrected, ...[titled.top, titled.floor, ...place].map(String)])
}

/** Reads what formatPosition wrote: cursors are authenticated, so that anything else is a fault of ours. */
export function parsePosition(text: string): Position {
  const [corrected, newest, titledFloor, top, floor, score, number] = position.parse(JSON.parse(text))
  const titled = { top: newest, floor: titledFloor }
  if (floor === undefined || score === undefined || number === undefined) return { corrected, titled, at: { top } }
  return { corrected, titled, at: { window: { top, floor }, behind: { score, number } } }
}
