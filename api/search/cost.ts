import type { Tx } from '../db/pool.ts'
import { alternativesOf, type SearchQuery } from './query.ts'
import { sharesOfWords } from './shares.ts'

/** What an alternative of a query costs to look up. Shares are of the listings, 0 to 1. */
export interface AlternativeCost {
  /** How many words it asks for. */
  words: number
  /** The rarest of them, as the text of a tsquery. */
  rarest: string
  rarestShare: number
  /** Of all the others, added up. */
  otherShares: number
}

/** What a query costs to look up, by the statistics of words: finding out costs no look at the index. */
export interface SearchCost {
  /** Which share of the listings matches, if words have nothing to do with each other. */
  matching: number
  alternatives: AlternativeCost[]
}

/**
 * Of the index, for a window: two to three milliseconds. Words of most listings may have few in common, and it takes so many
 * steps to find out.
 */
export const MAX_STEPS = 20_480
/** To read a row, on a page that nobody may have read for a while, takes as long. */
export const STEPS_A_ROW = 16
// A step is to compare entries of two words: some 130 ns. A descent into the index takes as long as so many steps; to unpack
// an entry, which the index keeps by some thousands a page, such a part of one.
const STEPS_A_DESCENT = 256
const UNPACKED_A_STEP = 32
const ENTRIES_A_PAGE = 8_192

/** What is to be expected of a query, by the present count of words (`readListed`). */
export async function expectedCost(tx: Tx, query: SearchQuery, countOfWords: string): Promise<SearchCost> {
  const shareOf = await sharesOfWords(tx, countOfWords)
  const alternatives = alternativesOf(query).map((words) => words.map((word) => ({ word, share: shareOf(word) })))
  const missing = alternatives.map((words) => 1 - words.reduce((all, { share }) => all * share, 1))
  return {
    matching: 1 - missing.reduce((all, share) => all * share, 1),
    alternatives: alternatives.map((words) => {
      const [rarest, ...others] = words.toSorted((one, other) => one.share - other.share)
      const otherShares = others.reduce((sum, { share }) => sum + share, 0)
      return { words: words.length, rarest: rarest?.word ?? '', rarestShare: rarest?.share ?? 0, otherShares }
    }),
  }
}

/** How many steps one lookup takes in a run of so many listings. */
export function stepsInRun(cost: SearchCost, listings: number): number {
  return steps(cost, listings, 1)
}

/** How many steps one lookup of everything takes, among so many listings. */
export function stepsOfAll(cost: SearchCost, listings: number): number {
  return steps(cost, listings, 0)
}

// Of an alternative, the index goes through the entries of the rarest word, looks up each other word and the run for each,
// and unpacks the pages that those are on.
function steps({ alternatives }: SearchCost, listings: number, shareOfRun: number): number {
  return alternatives.reduce((sum, { words, rarestShare, otherShares }) => {
    const compared = listings * rarestShare * words
    const unpacked = listings * Math.min(1, rarestShare * ENTRIES_A_PAGE) * (otherShares + shareOfRun)
    return sum + words * STEPS_A_DESCENT + compared + unpacked / UNPACKED_A_STEP
  }, 0)
}
