/** A range [start, end) of a text, in UTF-16 code units. */
export interface Place {
  start: number
  end: number
}

/**
 * The part of a page's text that a comment is about: the words, and the text around them, when the comment
 * was made.
 */
export interface Anchor {
  quote: string
  before: string
  after: string
  start: number
  /** Whether the words occurred only once in the text. */
  isOnly: boolean
}
/** The most places that are compared: the first ones. */
const MAX_PLACES = 1_000

/** Returns the places of some words in a text, in order: the indexes of their first code units. */
export function placesOf(text: string, words: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(words); at >= 0 && places.length < MAX_PLACES; at = text.indexOf(words, at + 1))
    places.push(at)
  return places
}

/** Returns how many code units two texts have in common at their start. */
export function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1
  return length
}

/** Returns how many code units two texts have in common at their end. */
export function commonEnd(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length += 1
  return length
}

/** Returns a text without half a character that a cut left at its start. */
export function wholeStart(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text
}

/** Returns a text without half a character that a cut left at its end. */
export function wholeEnd(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

// A character with its marks, a syllable of Hangul in its parts, or the end of a line.
const UNIT = /\r\n?|[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|.\p{M}*/gsu

/** A text in the form that browsers give, and the index of each of its code units in the original text. */
export interface Folded {
  text: string
  /** The start and end of a range in the original text. */
  original: (start: number, end: number) => { start: number; end: number }
}

/**
 * Returns a text with LF at the ends of lines, and in NFC: browsers give selected text in this form, whatever
 * the text has.
 */
export function fold(text: string): Folded {
  if (!text.includes('\r') && text === text.normalize('NFC'))
    return { text, original: (start, end) => ({ start, end }) }
  const parts: string[] = []
  const [starts, ends]: [number[], number[]] = [[], []]
  for (const { 0: unit, index } of text.matchAll(UNIT)) {
    const part = unit.startsWith('\r') ? '\n' : unit.normalize('NFC')
    parts.push(part)
    for (let at = 0; at < part.length; at++) {
      starts.push(index)
      ends.push(index + unit.length)
    }
  }
  const original = (start: number, end: number) => ({
    start: starts[start] ?? text.length,
    end: end > start ? (ends[end - 1] ?? text.length) : (starts[start] ?? text.length),
  })
  return { text: parts.join(''), original }
}
