import { findChangedWords } from './changedWords.ts'
import { type Anchor, commonEnd, commonStart, fold, type Place, placesOf, wholeEnd, wholeStart } from './text.ts'

/** How much of the text around a quote is kept, in UTF-16 code units. */
const CONTEXT = 40
/**
 * How many equal characters around the same words show that they are the ones meant. Fewer may be equal
 * anywhere.
 */
const MIN_LIKENESS = 4

/**
 * Returns an anchor at the place of a quote in a text that is nearest to `near`, or undefined if the text
 * does not have it. Different ends of lines, and characters that are composed differently, count as equal:
 * the anchor has them as the text does.
 */
export function makeAnchor(text: string, quote: string, near: number): Anchor | undefined {
  const folded = fold(text)
  const words = fold(quote).text
  const places = placesOf(folded.text, words).map((start) => folded.original(start, start + words.length))
  const [place] = places.toSorted((one, other) => Math.abs(one.start - near) - Math.abs(other.start - near))
  if (place === undefined) return undefined
  const found = text.slice(place.start, place.end)
  const { before, after } = around(text, found, place.start)
  // Half a surrogate pair is no text that JSON can carry to Postgres.
  return {
    ...{ quote: found, before: wholeStart(before), after: wholeEnd(after) },
    ...{ start: place.start, isOnly: places.length === 1 },
  }
}

/**
 * Returns the place of an anchor's words in a text that was edited since: the place that kept most of the
 * text around them, and of equal places the nearest to the original one. Words that were edited themselves
 * are found by the text around them, if at least half of them is left. Undefined if the words are gone.
 */
export function findAnchor(text: string, anchor: Anchor): Place | undefined {
  const folded = fold(text)
  const [quote, before, after] = [anchor.quote, anchor.before, anchor.after].map((part) => fold(part).text)
  const place = findFolded(folded.text, { ...anchor, quote, before, after } as Anchor)
  return place && folded.original(place.start, place.end)
}

function findFolded(text: string, anchor: Anchor): Place | undefined {
  const { quote, before, after } = anchor
  const places = placesOf(text, quote)
  let best: { start: number; likeness: number } | undefined
  for (const start of places) {
    const now = around(text, quote, start)
    const likeness = commonEnd(now.before, before) + commonStart(now.after, after)
    const isNearer = best && Math.abs(start - anchor.start) < Math.abs(best.start - anchor.start)
    if (!best || likeness > best.likeness || (likeness === best.likeness && isNearer)) best = { start, likeness }
  }
  const isMeant =
    (anchor.isOnly && places.length === 1) ||
    (best && best.likeness >= Math.min(MIN_LIKENESS, before.length + after.length))
  if (best && isMeant) return { start: best.start, end: best.start + quote.length }
  return findChangedWords(text, anchor)
}

function around(text: string, quote: string, start: number) {
  const end = start + quote.length
  return { before: text.slice(Math.max(0, start - CONTEXT), start), after: text.slice(end, end + CONTEXT) }
}
