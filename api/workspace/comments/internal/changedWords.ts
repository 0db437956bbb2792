import { type Anchor, commonEnd, commonStart, type Place, placesOf, wholeEnd, wholeStart } from './text.ts'

/**
 * The text around words is searched for as a whole, then in shorter and shorter parts. A part shorter than
 * this may be anywhere.
 */
const MIN_CONTEXT = 8
/** Words that became longer by more than this, in code units besides their own, count as other words. */
const MAX_ADDED = 200

/** A border of the words: where it is, and how many code units of them are still beside it. */
interface Border {
  at: number
  kept: number
}

/**
 * Returns the place of words that were edited, by the text before and after them. Half of them must be left,
 * because the rest may be others' words. Undefined if they are gone.
 */
export function findChangedWords(text: string, { quote, before, after }: Anchor): Place | undefined {
  const needed = Math.max(2, Math.ceil(quote.length / 2))
  const left = nearestKept(startsAfter(text, before), (at) => commonStart(text.slice(at, at + quote.length), quote))
  const right = nearestKept(endsBefore(text, after), (at) =>
    commonEnd(text.slice(Math.max(0, at - quote.length), at), quote),
  )
  if (left && right && left.at < right.at && right.at - left.at <= quote.length + MAX_ADDED)
    return left.kept + right.kept >= needed ? { start: left.at, end: right.at } : undefined
  if (left && left.kept >= needed) return placeOf(text, left.at, left.at + left.kept)
  if (right && right.kept >= needed) return placeOf(text, right.at - right.kept, right.at)
  return undefined
}

/** Finds the longest end of a context that the text has. Returns the places after it. */
function startsAfter(text: string, before: string): number[] {
  if (before === '') return [0]
  for (let length = before.length; length > 0; length = shorter(length)) {
    const context = before.slice(-length)
    const places = placesOf(text, context)
    if (places.length > 0) return places.map((at) => at + context.length)
  }
  return []
}

/** Finds the longest beginning of a context that the text has. Returns its places. */
function endsBefore(text: string, after: string): number[] {
  if (after === '') return [text.length]
  for (let length = after.length; length > 0; length = shorter(length)) {
    const places = placesOf(text, after.slice(0, length))
    if (places.length > 0) return places
  }
  return []
}

function shorter(length: number): number {
  return length <= MIN_CONTEXT ? 0 : Math.max(MIN_CONTEXT, Math.floor(length / 2))
}

/** Returns the place beside which the most of the words is kept. */
function nearestKept(places: readonly number[], keptAt: (at: number) => number): Border | undefined {
  let best: Border | undefined
  for (const at of places) {
    const kept = keptAt(at)
    if (!best || kept > best.kept) best = { at, kept }
  }
  return best
}

/** Returns a place without half a character at either end. */
function placeOf(text: string, start: number, end: number): Place {
  const words = text.slice(start, end)
  return { start: end - wholeStart(words).length, end: start + wholeEnd(words).length }
}
