import { TRICKS } from './characters.ts'
import { FAMILIES, type Family, WITH_OUTCOME } from './families.ts'
import { placesIn, VOUCHES, type Where } from './kinds.ts'
import { DECIDING, OUTCOME, PARTY } from './outcomes.ts'
import { OVERRIDE } from './overrides.ts'
import { type View, viewsOf } from './views.ts'

// An apostrophe inside a word does not open a quotation, nor does a mark that opens a member of JSON or a
// cell of CSV.
const QUOTATION =
  /(?<=^|[\s(])["“„«‘'「『][^"”“»’'」』\n]{0,600}(?:["”“»」』]|[’'](?!\p{L}))|```[\s\S]{0,4000}?```|`[^`\n]{1,600}`/gu
/** A text quoted for more than this share counts as its author's own. */
const MAX_SHARE = 0.8

/** From this score on, a human reviews the text first, and no model is asked. */
export const FLAGGED = 50
/** From this score on, a sentence is withheld from a model. */
export const NOTED = 25

const HIDDEN_SCORE = 20
const ENCODED_SCORE = 25
const OUTCOME_SCORE = 15
const KIND_SCORE = 50
const QUOTED_KIND_SCORE = 10
const MOST = 100
/** How far from a match the words that show its subject may be. */
const NEAR_CHARACTERS = 200
const MAX_MATCHES = 20
/** A sentence that reports an order to somebody else is not an order. */
const REPORTED =
  /\b(?:asks?|asked|tells?|told|orders|ordered|urged|wants?|wanted|instructs|instructed) (?:(?!you\b|arbitrator|judge)[\w']+ ){0,3}to [^.!?\n]{0,80}$/i

/** The score of a text, from 0: how strongly it addresses the judge, and the families found. */
export interface Score {
  score: number
  families: string[]
}

/**
 * Scores one text. Matches in texts from before the dispute, and in deliveries, count only if they mention
 * deciding a dispute: prompts, and texts about attacks, may be the goods.
 */
export function scoreText(text: string, where: Where = 'said'): Score {
  const isGoods = where !== 'said'
  const tricks = isGoods ? [] : tricksOf(text)
  const views = viewsOf(text).map((view) => ({ ...view, quotations: quotationsOf(view.text) }))
  const families = matchesOf(views, isGoods ? DECIDING : undefined)
  // A finding that a family of the same name has made counts once.
  const kinds = kindsIn(views, where).filter(({ name }) => !families.some((family) => family.name === name))
  const matched = [...families, ...kinds]
  const kindsOf = (kind: View['kind']) => matched.some(({ kinds }) => kinds.has(kind))
  const extra = [
    ...(kindsOf('hidden') ? [{ name: 'hidden', score: HIDDEN_SCORE }] : []),
    ...(kindsOf('encoded') ? [{ name: 'encoded', score: ENCODED_SCORE }] : []),
    ...(matched.some(({ name, outcome }) => outcome && WITH_OUTCOME.has(name))
      ? [{ name: 'names_outcome', score: OUTCOME_SCORE }]
      : []),
  ]
  const all = [...tricks, ...matched, ...extra]
  return {
    score: Math.min(
      MOST,
      all.reduce((sum, { score }) => sum + score, 0),
    ),
    families: all.map(({ name }) => name),
  }
}

function tricksOf(text: string) {
  return TRICKS.map(({ name, score }) => ({ name, score: score(text) })).filter(({ score }) => score > 0)
}

interface Match {
  name: string
  score: number
  kinds: ReadonlySet<View['kind']>
  /** Whether an outcome of the dispute, or a party, is named beside it. */
  outcome: boolean
}

type Read = View & { quotations: readonly [number, number][] }

/**
 * Several kinds in one text are one attack: the first counts. A sentence that is also in plain text is not
 * hidden or encoded.
 */
function kindsIn(views: readonly Read[], where: Where): Match[] {
  const open = views.filter(({ kind }) => kind === 'plain').map(({ text }) => text)
  const hits = views.flatMap(({ kind, text, quotations }) => {
    const isConcealed = kind !== 'plain'
    return placesIn(text, isConcealed ? 'concealed' : where)
      .filter((place) =>
        isConcealed
          ? !open.some((one) => one.includes(place.sentence))
          : where !== 'goods' ||
            place.kind === VOUCHES ||
            DECIDING.test(around(text, place.index, place.sentence.length)),
      )
      .map((place) => ({
        ...{ kind, name: place.kind },
        isQuoted: !isConcealed && (isQuotedAt(quotations, place.at) || isReported(text, place.at)),
      }))
  })
  const first = hits.find(({ isQuoted }) => !isQuoted) ?? hits[0]
  if (!first) return []
  const kinds = new Set(hits.some(({ kind }) => kind === 'plain') ? (['plain'] as const) : hits.map(({ kind }) => kind))
  return [{ name: first.name, score: first.isQuoted ? QUOTED_KIND_SCORE : KIND_SCORE, kinds, outcome: false }]
}

function matchesOf(read: readonly Read[], must: RegExp | undefined): Match[] {
  return FAMILIES.flatMap((family) => {
    const hits = read.flatMap((view) => hitsIn(view, family)).filter(({ near }) => must?.test(near) ?? true)
    if (hits.length === 0) return []
    const kinds = new Set(hits.map(({ kind }) => kind))
    const { name, score, quotedScore = score } = family
    return {
      name,
      score: hits.some(({ isQuoted }) => !isQuoted) ? score : quotedScore,
      // A match that is also in plain text is not hidden.
      kinds: kinds.has('plain') ? new Set(['plain' as const]) : kinds,
      outcome: hits.some(
        ({ near, isQuoted }) => OUTCOME.test(near) || (!isQuoted && family === OVERRIDE && PARTY.test(near)),
      ),
    }
  })
}

function hitsIn({ kind, text, isUnwrapped, quotations }: Read, { patterns }: Family) {
  // A pattern of lines has no meaning in a text whose lines are joined.
  const readable = patterns.filter(({ multiline }) => !multiline || !isUnwrapped)
  return readable.flatMap((pattern) =>
    [...text.matchAll(pattern).take(MAX_MATCHES)].map(({ 0: { length }, index }) => ({
      kind,
      near: around(text, index, length),
      isQuoted: isQuotedAt(quotations, index) || isReported(text, index),
    })),
  )
}

function isReported(text: string, index: number): boolean {
  return REPORTED.test(text.slice(Math.max(0, index - NEAR_CHARACTERS), index))
}

function around(text: string, index: number, length: number): string {
  return text.slice(Math.max(0, index - NEAR_CHARACTERS), index + length + NEAR_CHARACTERS)
}

/**
 * Returns the quotations in a text: the first and the last place of each. A whole text is not a quotation,
 * nor is JSON.
 */
function quotationsOf(text: string): [number, number][] {
  if (/^\s*[[{]\s*["[{]/.test(text)) return []
  const found = [...text.matchAll(QUOTATION)].map(({ 0: quoted, index }): [number, number] => [
    index,
    index + quoted.length,
  ])
  const share = found.reduce((sum, [from, to]) => sum + to - from, 0) / Math.max(1, text.trim().length)
  return share > MAX_SHARE ? [] : found
}

/** Returns whether a place is inside one of the quotations. */
function isQuotedAt(quotations: readonly [number, number][], place: number): boolean {
  return quotations.some(([from, to]) => place >= from && place < to)
}
