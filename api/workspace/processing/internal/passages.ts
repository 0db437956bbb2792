// How much of a text is kept, in UTF-16 units.
const MAX_TEXT_LENGTH = 2_000_000
const MAX_PASSAGE_LENGTH = 50_000
// Postgres cannot store NUL, and the other characters are of no use to a reader.
const CONTROL = /[\p{Cc}--[\t\n]]/gv

/**
 * A part of a text: the index of its first character, counted from 0, and its length. Characters are code
 * points.
 */
export interface Passage {
  first: number
  characters: number
  text: string
}

/**
 * Returns the text of UTF-8 bytes, without control characters, and whether it was cut because it was too
 * long.
 */
export function cleanText(bytes: Buffer): { text: string; isShortened: boolean } {
  // With `stream`, the decoder leaves out a character that is cut at the end.
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL, '')
  if (text.length <= MAX_TEXT_LENGTH) return { text, isShortened: false }
  return { text: text.slice(0, wholeCharacters(text, MAX_TEXT_LENGTH)), isShortened: true }
}

/** Yields a text in passages that end between words, unless a word is longer than a passage. */
export function* passagesOf(text: string): Generator<Passage> {
  let first = 0
  for (let at = 0; at < text.length; ) {
    const end = endOfPassage(text, at)
    const part = text.slice(at, end)
    const characters = [...part].length
    yield { first, characters, text: part }
    first += characters
    at = end
  }
}

function endOfPassage(text: string, from: number): number {
  const latest = from + MAX_PASSAGE_LENGTH
  if (latest >= text.length) return text.length
  for (let end = latest; end > from; end--) if (/\s/.test(text.charAt(end - 1))) return end
  return wholeCharacters(text, latest)
}

// Keeps the two units of one character together.
function wholeCharacters(text: string, length: number): number {
  const last = text.charCodeAt(length - 1)
  return last >= 0xd800 && last <= 0xdbff ? length - 1 : length
}
