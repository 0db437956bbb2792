import type { Wanted } from '../api/trading/search/internal/wanted.ts'
import { VOCABULARY, WORDS } from './listings.ts'

const MIX_GOAL_MS = 150
const GOAL_MS = 500
const DEEP_PAGES = 10
const HOSTILE_WORDS = 16

/**
 * A search text, and the time in which 99 of 100 searches answer. `pages`: how many are read of each search;
 * the first is not measured then.
 */
export interface Kind {
  name: string
  query: () => string
  goalMs: number
  pages?: number
  /** The order, and within which prices: of listings alone. */
  how?: Pick<Wanted, 'sort' | 'minMicros' | 'maxMicros'>
}

/** Every shape of query that the API takes, over words that follow Zipf's law. */
const SHAPES: readonly Kind[] = [
  kind('a word of most', () => word(0, 5)),
  kind('a common word', () => word(5, 500)),
  kind('a word of a thousand', () => word(1_000, 4_000)),
  kind('a rare word', () => word(4_000, VOCABULARY)),
  kind('two words', () => `${word(0, 100)} ${word(0, 2_000)}`),
  kind('two words of most', () => `${word(0, 10)} ${word(0, 10)}`),
  kind('five words of most', () => words(5, 3, 15).join(' ')),
  kind('five words', () => words(5, 0, 300).join(' ')),
  kind('one of two words', () => `${word(0, 500)} or ${word(0, 500)}`),
  kind('one of 16 words', () => words(HOSTILE_WORDS, 0, 2_000).join(' or ')),
  kind('a phrase', () => `"${word(0, 50)} ${word(0, 50)}"`),
  kind('a phrase of three', () => `"${words(3, 0, 20).join(' ')}"`),
  kind('a word less another', () => `${word(0, 50)} -${word(0, 5)}`),
  kind('a word less all the common', () => `${word(0, 50)} ${words(HOSTILE_WORDS, 0, 20).join(' -')}`),
  kind('anything but a word', () => `-${word(0, 5)}`),
  kind('no words', () => ''),
  kind('ten pages of a common word', () => word(0, 100), DEEP_PAGES),
  kind('ten pages of a word of a thousand', () => word(1_000, 4_000), DEEP_PAGES),
  kind('ten pages of no words', () => '', DEEP_PAGES),
  kind('a word of none', () => `${word(0, VOCABULARY)}${word(0, VOCABULARY)}`),
  kind('the start of a word', () => word(4_000, VOCABULARY).slice(0, 5)),
  kind('a misspelt word', () => misspelt(word(500, 20_000))),
  kind('two, misspelt', () => `${misspelt(word(500, 20_000))} ${misspelt(word(0, 500))}`),
  kind('eight, misspelt', () => words(8, 500, 20_000).map(misspelt).join(' ')),
]

// What people type: few words, some of them misspelt, seldom an operator.
const REALISTIC = new Set([
  ...['a common word', 'a word of a thousand', 'a rare word', 'two words', 'five words', 'a phrase', 'no words'],
  ...['a word less another', 'one of two words', 'the start of a word', 'a misspelt word', 'two, misspelt'],
])

/** The mix of the realistic shapes, each drawn as often as any other. */
export const MIX: Kind = { name: 'a realistic mix', query: realisticQuery, goalMs: MIX_GOAL_MS }

// Sorted, all that match are listed, and not the newest alone.
const SORTED: readonly Kind[] = (['newest', 'price'] as const).flatMap((sort) => [
  { ...MIX, name: `a realistic mix by ${sort}`, how: { sort } },
  ...[
    'a word of most',
    'a common word',
    'a word of a thousand',
    'two words',
    'five words of most',
    'a phrase',
    'no words',
  ].map((name) => sorted(name, { sort })),
  sorted('a common word', { sort, minMicros: 40_000_000n, maxMicros: 42_000_000n }),
  sorted('ten pages of a common word', { sort }),
])

/** The mix, and every shape of query by itself. */
export const KINDS: readonly Kind[] = [MIX, ...SHAPES, ...SORTED]

/** The same for a search that corrects no spelling, and has no page of everything. */
export const PAGE_KINDS: readonly Kind[] = KINDS.filter(
  ({ name, how }) => !how && !/no words|misspelt|start of/.test(name),
)

function realisticQuery(): string {
  const shapes = SHAPES.filter(({ name }) => REALISTIC.has(name))
  return shapes[Math.floor(Math.random() * shapes.length)]?.query() ?? ''
}

function kind(name: string, query: () => string, pages?: number): Kind {
  return { name, query, goalMs: GOAL_MS, ...(pages === undefined ? {} : { pages }) }
}

function sorted(name: string, how: NonNullable<Kind['how']>): Kind {
  const shape = SHAPES.find((one) => one.name === name)
  if (!shape) throw new Error(`no shape of query is ${name}`)
  return { ...shape, how, name: `${name} by ${how.sort}${how.minMicros === undefined ? '' : ' within prices'}` }
}

function word(from: number, to: number): string {
  return WORDS[from + Math.floor(Math.random() * (to - from))] ?? ''
}

function words(count: number, from: number, to: number): string[] {
  return Array.from({ length: count }, () => word(from, to))
}

/** Two letters swapped, and one doubled. */
function misspelt(text: string): string {
  const place = 1 + Math.floor(Math.random() * (text.length - 3))
  return `${text.slice(0, place)}${text.charAt(place + 1)}${text.charAt(place)}${text.slice(place + 2)}${text.at(-1)}`
}
