/** How much of the text around a quote is kept, in characters. */
const CONTEXT = 40
/** More places than this are not compared: the first ones are. */
const MAX_PLACES = 1_000

/** What a comment is about in the text of its page: words as they stood there, and what stood around them. */
export interface Anchor {
  quote: string
  before: string
  after: string
  start: number
}

/** Returns an anchor at the place of a quote in a text that is nearest to `near`, or undefined if the text has none. */
export function makeAnchor(text: string, quote: string, near: number): Anchor | undefined {
  const [start] = placesOf(text, quote).sort((one, other) => Math.abs(one - near) - Math.abs(other - near))
  return start === undefined ? undefined : { quote, ...around(text, quote, start), start }
}

/**
 * Returns where the words of an anchor stand in a text that was edited since: where most of what stood around them still
 * does, and of equal places the nearest to where they stood. Undefined if the words are gone.
 */
export function findAnchor(text: string, anchor: Anchor): number | undefined {
  let best: { start: number; likeness: number } | undefined
  for (const start of placesOf(text, anchor.quote)) {
    const { before, after } = around(text, anchor.quote, start)
    const likeness = commonEnd(before, anchor.before) + commonStart(after, anchor.after)
    const isNearer = best && Math.abs(start - anchor.start) < Math.abs(best.start - anchor.start)
    if (!best || likeness > best.likeness || (likeness === best.likeness && isNearer)) best = { start, likeness }
  }
  return best?.start
}

function around(text: string, quote: string, start: number) {
  const end = start + quote.length
  return { before: text.slice(Math.max(0, start - CONTEXT), start), after: text.slice(end, end + CONTEXT) }
}

function placesOf(text: string, quote: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(quote); at >= 0 && places.length < MAX_PLACES; at = text.indexOf(quote, at + 1))
    places.push(at)
  return places
}

function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1
  return length
}

function commonEnd(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length += 1
  return length
}
