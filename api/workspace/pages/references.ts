// A name has none of these characters (attachments/names.ts). What follows | is how the reader is shown the reference.
const REFERENCE = /(!?)\[\[([^[\]|\r\n]+)(\|[^[\]\r\n]*)?\]\]/g

/** How a new attachment is referred to in the text of its page. */
export type Insert = 'none' | 'embed' | 'link'

/** Returns the reference to an attachment: `![[name]]` shows it, `[[name]]` links to it. */
export function referenceTo(filename: string, insert: Exclude<Insert, 'none'>): string {
  return `${insert === 'embed' ? '!' : ''}[[${filename}]]`
}

/**
 * Returns a text with a reference inserted at a byte offset of its UTF-8 form; without one, on a line of its own at the
 * end. An offset beyond the end is the end, and one within a character is before it.
 */
export function insertReference(text: string, reference: string, cursor: number | null): string {
  if (cursor === null) return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${reference}`
  const bytes = Buffer.from(text)
  let at = Math.min(cursor, bytes.length)
  while (at > 0 && isContinuation(bytes[at])) at -= 1
  return `${bytes.subarray(0, at)}${reference}${bytes.subarray(at)}`
}

/** Returns a text in which every reference to one name is a reference to another. */
export function rewriteReferences(text: string, from: string, to: string): string {
  return text.replaceAll(REFERENCE, (whole, mark: string, name: string, shown = '') =>
    name === from ? `${mark}[[${to}${shown}]]` : whole,
  )
}

/** Whether a name can be referred to. */
export function isReferable(name: string): boolean {
  return !/[[\]|\r\n]/.test(name)
}

/** Returns the names that a text refers to. */
export function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(REFERENCE)].flatMap(([, , name]) => name ?? []))]
}

/** Returns a text as readers see it: a marker stands for each reference to a name that is not among the present ones. */
export function renderReferences(text: string, present: ReadonlySet<string>): string {
  return text.replaceAll(REFERENCE, (whole, _mark, name: string) =>
    present.has(name) ? whole : `[missing attachment: ${name}]`,
  )
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
