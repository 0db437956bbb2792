import { TRICKS } from './characters.ts'
import { DECIDING, DEMAND, FAMILIES, type Family, type Where } from './internal/families.ts'
import { type View, viewsOf } from './internal/views.ts'

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
 * Scores one text. Matches in goods, which may be prompts or texts about attacks, count only if they mention
 * deciding a dispute.
 */
export function scoreText(text: string, where: Where = 'said'): Score {
  const views = viewsOf(text).map(readOf)
  const families = FAMILIES.filter((family) => family.where?.includes(where) ?? true)
  const matches = families
    .flatMap((family) => matchOf(views, family, where) ?? [])
    .filter(({ name }, place, all) => all.findLastIndex((one) => one.name === name) === place)
  const has = (kind: View['kind']) => matches.some(({ kinds }) => kinds.has(kind))
  const all = [
    ...(where === 'said' ? TRICKS.map(({ name, score }) => ({ name, score: score(text) })) : []),
    ...matches,
    { name: 'conceals_a_demand', score: where === 'said' && isConcealed(views) ? FLAGGED : 0 },
    { name: 'hidden', score: has('hidden') ? HIDDEN_SCORE : 0 },
    { name: 'encoded', score: has('encoded') || has('disguised') ? ENCODED_SCORE : 0 },
    { name: 'names_outcome', score: matches.some(({ isBesideOutcome }) => isBesideOutcome) ? OUTCOME_SCORE : 0 },
  ].filter(({ score }) => score > 0)
  const sum = all.reduce((total, { score }) => total + score, 0)
  return { score: Math.min(MOST, sum), families: all.map(({ name }) => name) }
}

interface Match {
  name: string
  score: number
  kinds: ReadonlySet<View['kind']>
  /** Whether an outcome or a party is named beside what no plea needs. */
  isBesideOutcome: boolean
}

/** A view with the places of its quotations, and its text with each of them blank. */
interface Read extends View {
  quotations: readonly [number, number][]
  unquoted: string
}

/** Nobody encodes a demand in good faith. */
function isConcealed(views: readonly Read[]): boolean {
  const open = views.filter(({ kind }) => kind === 'plain').map(({ text }) => text)
  return views.some(({ kind, text }) => {
    const [demand] = kind === 'encoded' ? (DEMAND.exec(text) ?? []) : []
    return demand !== undefined && !open.some((one) => one.includes(demand))
  })
}

function matchOf(views: readonly Read[], family: Family, where: Where): Match | undefined {
  const isDue = {
    said: () => true,
    goods: (near: string) => DECIDING.test(near),
    name: (near: string) => DEMAND.test(near),
  }[where]
  const hits = views.flatMap((view) => hitsIn(view, family)).filter(({ near }) => isDue(near))
  if (hits.length === 0) return undefined
  const { name, score, quotedScore = score, beside } = family
  const kinds = new Set(hits.map(({ kind }) => kind))
  const open = hits.filter(({ isQuoted }) => !isQuoted)
  return {
    name,
    score: open.length > 0 ? score : quotedScore,
    // A match that is also in plain text is not hidden.
    kinds: kinds.has('plain') ? new Set(['plain' as const]) : kinds,
    isBesideOutcome: beside !== undefined && open.some(({ near }) => beside.test(near)),
  }
}

function hitsIn({ kind, text, isUnwrapped, quotations, unquoted }: Read, { patterns }: Family) {
  // A pattern of lines has no meaning in a text whose lines are joined.
  const readable = patterns.filter(({ multiline }) => !multiline || !isUnwrapped)
  return readable.flatMap((pattern) =>
    [...text.matchAll(pattern).take(MAX_MATCHES)].map(({ 0: { length }, index }) => ({
      kind,
      near: around(unquoted, index, length),
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

/** Finds the quotations of a view. A whole text is not a quotation, nor is JSON. */
function readOf(view: View): Read {
  const { text } = view
  const found = /^\s*[[{]\s*["[{]/.test(text) ? [] : [...text.matchAll(QUOTATION)]
  const share = found.reduce((sum, { 0: quoted }) => sum + quoted.length, 0) / Math.max(1, text.trim().length)
  if (found.length === 0 || share > MAX_SHARE) return { ...view, quotations: [], unquoted: text }
  return {
    ...view,
    quotations: found.map(({ 0: quoted, index }) => [index, index + quoted.length]),
    unquoted: text.replaceAll(QUOTATION, (quoted) => ' '.repeat(quoted.length)),
  }
}

/** Returns whether a place is inside one of the quotations. */
function isQuotedAt(quotations: readonly [number, number][], place: number): boolean {
  return quotations.some(([from, to]) => place >= from && place < to)
}
