import type { Party } from '../../orders/record/find.ts'
import { FLAGGED, NOTED, type Score, scoreText } from './score.ts'

/** The version of the screener. It changes whenever a score can change. */
const SCREENER_VERSION = 'screener@5'

const MIN_QUOTED_CHARACTERS = 40

/** A text of one side, and its time. `isGoods` marks what is sold: its description, and its deliveries. */
export interface Said {
  side: Party
  at: string
  text: string
  isGoods?: boolean
  /** True for a file's name. */
  isName?: boolean
}

/** The screener's findings for each side. They name families, and quote nobody. */
export interface Screening {
  version: string
  buyer: Score
  seller: Score
}

/**
 * Scores the texts of each side: the highest score of its single texts and of all of them together, because
 * an attack may be spread over several. A sentence that the other side wrote first counts as theirs: a
 * complaint about an attack quotes it.
 */
export function screen(said: readonly Said[]): Screening {
  return { version: SCREENER_VERSION, buyer: scoreSide(said, 'buyer'), seller: scoreSide(said, 'seller') }
}

/** Returns the sides whose text is suspect. */
export function flaggedSides(screening: Screening): Party[] {
  return (['buyer', 'seller'] as const).filter((side) => screening[side].score >= FLAGGED)
}

/**
 * Returns a text without the sentences that are suspect, each replaced by a note that says whose they were.
 */
export function withoutSuspects({ side, text, isGoods }: Pick<Said, 'side' | 'text' | 'isGoods'>): string {
  return sentencesOf(text)
    .map((sentence) =>
      scoreText(sentence, isGoods ? 'goods' : 'said').score >= NOTED
        ? `[a sentence by the ${side} is withheld] `
        : sentence,
    )
    .join('')
}

/** Does the same for one side. */
export function scoreSide(said: readonly Said[], side: Party): Score {
  let othersWords = ''
  const goods: string[] = []
  const own: string[] = []
  const names: string[] = []
  for (const { text, isGoods, isName, ...item } of said.toSorted((left, right) => (left.at < right.at ? -1 : 1))) {
    if (item.side !== side) othersWords += `\n${normal(text)}`
    else (isName ? names : isGoods ? goods : own).push(withoutQuotes(text, othersWords))
  }
  return [
    ...[...own, own.join('\n')].map((text) => scoreText(text)),
    ...goods.map((text) => scoreText(text, 'goods')),
    ...names.map((text) => scoreText(text, 'name')),
  ].reduce((most, one) => (one.score > most.score ? one : most), { score: 0, families: [] })
}

function withoutQuotes(text: string, othersWords: string): string {
  const isTheirs = (sentence: string) =>
    sentence.length >= MIN_QUOTED_CHARACTERS &&
    othersWords.includes(normal(sentence).replace(/^["'“„«‘>]+|["'”“»’]+$/g, ''))
  return sentencesOf(text)
    .filter((sentence) => !isTheirs(sentence.trim()))
    .join('')
}

function sentencesOf(text: string): string[] {
  return text.match(/[^.!?。！？\n]{0,2000}[.!?。！？\n]+\s*|[^.!?。！？\n]{1,2000}/g) ?? []
}

function normal(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
