import type { Party } from '../../orders/find.ts'
import { TRICKS } from './characters.ts'
import { FAMILIES, OVERRIDE, QUOTED_SCORE } from './families.ts'
import { type View, viewsOf } from './views.ts'

/** The version of the screener. It changes with everything that it scores. */
const SCREENER_VERSION = 'screener@1'

/** From here on a human looks first, and no model is asked; from `NOTED` on a sentence is withheld from a model. */
const FLAGGED = 50
const NOTED = 25
const HIDDEN_SCORE = 20
const ENCODED_SCORE = 25
const MIN_QUOTED_CHARACTERS = 40
const QUOTATION = /["“„«‘'][^"”“»’'\n]{0,600}["”“»’']/g

/** What one side said, at a time. */
export interface Said {
  side: Party
  at: string
  text: string
}

/** How much of a text speaks to whoever judges: from 0, and by what. */
export interface Score {
  score: number
  families: string[]
}

/** What the screener found of each side. It names families, and quotes nobody. */
export interface Screening {
  version: string
  buyer: Score
  seller: Score
}

/**
 * Scores what each side said: the highest of each text and of all of a side's together, because an attack may be spread over
 * several. A sentence that the other side wrote first is the other side's: who complains of an attack quotes it.
 */
export function screen(said: readonly Said[]): Screening {
  const inOrder = said.toSorted((left, right) => (left.at < right.at ? -1 : 1))
  return { version: SCREENER_VERSION, buyer: scoreOf(inOrder, 'buyer'), seller: scoreOf(inOrder, 'seller') }
}

/** Returns the sides whose text is suspect. */
export function flaggedSides(screening: Screening): Party[] {
  return (['buyer', 'seller'] as const).filter((side) => screening[side].score >= FLAGGED)
}

/** Returns a text without the sentences that are suspect, each replaced by a note that says whose they were. */
export function withoutSuspects({ side, text }: Pick<Said, 'side' | 'text'>): string {
  return sentencesOf(text)
    .map((sentence) => (scoreText(sentence).score >= NOTED ? `[a sentence by the ${side} is withheld] ` : sentence))
    .join('')
}

function scoreOf(said: readonly Said[], side: Party): Score {
  let othersWords = ''
  const own: string[] = []
  for (const item of said) {
    if (item.side !== side) othersWords += `\n${normal(item.text)}`
    else own.push(withoutQuotes(item.text, othersWords))
  }
  return [...own, own.join('\n')].map(scoreText).reduce((most, one) => (one.score > most.score ? one : most), {
    score: 0,
    families: [],
  })
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

/** Scores one text. */
export function scoreText(text: string): Score {
  const tricks = TRICKS.map(({ name, score }) => ({ name, score: score(text) })).filter(({ score }) => score > 0)
  const views = viewsOf(text)
  const found = [
    overrideIn(views),
    ...FAMILIES.map(({ name, score, patterns }) => matchIn(views, { name, score, patterns })),
  ]
  const matched = found.filter((match) => match !== undefined)
  const extra = [
    ...(matched.some(({ kinds }) => kinds.has('hidden')) ? [{ name: 'hidden', score: HIDDEN_SCORE }] : []),
    ...(matched.some(({ kinds }) => kinds.has('encoded')) ? [{ name: 'encoded', score: ENCODED_SCORE }] : []),
  ]
  const all = [...tricks, ...matched, ...extra]
  return {
    score: Math.min(
      100,
      all.reduce((sum, { score }) => sum + score, 0),
    ),
    families: all.map(({ name }) => name),
  }
}

interface Match {
  name: string
  score: number
  kinds: ReadonlySet<View['kind']>
}

function matchIn(views: readonly View[], { name, score, patterns }: (typeof FAMILIES)[number]): Match | undefined {
  const hits = views.filter(({ text }) => patterns.some((pattern) => pattern.test(text)))
  if (hits.length === 0) return undefined
  const kinds = new Set(hits.map(({ kind }) => kind))
  // What can be read openly is not hidden.
  return { name, score, kinds: kinds.has('plain') ? new Set(['plain']) : kinds }
}

function overrideIn(views: readonly View[]): Match | undefined {
  const unquoted = matchIn(
    views.map(({ kind, text }) => ({ kind, text: text.replaceAll(QUOTATION, ' ') })),
    OVERRIDE,
  )
  return unquoted ?? matchIn(views, { ...OVERRIDE, score: QUOTED_SCORE })
}
