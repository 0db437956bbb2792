import { VOCABULARY, WORDS } from './listings.ts'

const GOAL_MS = 50
const CORRECTED_GOAL_MS = 150
const DEEP_PAGES = 10
const HOSTILE_WORDS = 16

/** What is typed, and until when 99 of 100 searches should have answered. `pages`: the first is not measured, those behind it are. */
export interface Kind {
  name: string
  query: () => string
  goalMs: number
  pages?: number
}

/** Every shape of query that the API takes, over words that follow Zipf's law. */
export const KINDS: readonly Kind[] = [
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
  kind('ten pages of a common word', () => word(0, 100), GOAL_MS, DEEP_PAGES),
  kind('ten pages of a word of a thousand', () => word(1_000, 4_000), GOAL_MS, DEEP_PAGES),
  kind('ten pages of no words', () => '', GOAL_MS, DEEP_PAGES),
  kind('a word of none', () => `${word(0, VOCABULARY)}${word(0, VOCABULARY)}`, CORRECTED_GOAL_MS),
  kind('the start of a word', () => word(4_000, VOCABULARY).slice(0, 5), CORRECTED_GOAL_MS),
  kind('a misspelt word', () => misspelt(word(500, 20_000)), CORRECTED_GOAL_MS),
  kind('two, misspelt', () => `${misspelt(word(500, 20_000))} ${misspelt(word(0, 500))}`, CORRECTED_GOAL_MS),
  kind('eight, misspelt', () => words(8, 500, 20_000).map(misspelt).join(' '), CORRECTED_GOAL_MS),
]

function kind(name: string, query: () => string, goalMs = GOAL_MS, pages?: number): Kind {
  return { name, query, goalMs, ...(pages === undefined ? {} : { pages }) }
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
