import { codeIn } from './code.ts'

// A name has none of these characters (attachments/names.ts), and no title or file name is longer. What follows | is how the
// reader is shown the reference.
const REFERENCE = /(!?)\[\[([^[\]|\r\n]{1,250})(\|[^[\]\r\n]*)?\]\]/g

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

/** Returns a text in which every reference to one name is a reference to another. What is in code stays as it is. */
export function rewriteReferences(text: string, from: string, to: string): string {
  return replaceReferences(text, ({ mark, name, shown }) => (name === from ? `${mark}[[${to}${shown}]]` : undefined))
}

/** Whether a name can be referred to. */
export function isReferable(name: string): boolean {
  return !/[[\]|\r\n]/.test(name)
}

/** Returns the names that a text refers to. */
export function namesIn(text: string): string[] {
  const names = new Set<string>()
  replaceReferences(text, ({ name }) => {
    names.add(name)
    return undefined
  })
  return [...names]
}

/** Returns a text as readers see it: a marker stands for each reference to a name that is not among the present ones. */
export function renderReferences(text: string, present: ReadonlySet<string>): string {
  return replaceReferences(text, ({ name }) => (present.has(name) ? undefined : `[missing attachment: ${name}]`))
}

interface Reference {
  mark: string
  /** As titles and file names are kept: in NFC, without spaces around it. */
  name: string
  shown: string
}

/** Replaces references by what a function returns; those stay for which that is undefined, and what is in code. */
function replaceReferences(text: string, replace: (reference: Reference) => string | undefined): string {
  if (!text.includes('[[')) return text
  const code = codeIn(text)
  let next = 0
  return text.replaceAll(REFERENCE, (whole: string, mark: string, name: string, shown = '', at: number) => {
    while (next < code.length && (code[next]?.to ?? 0) <= at) next++
    if ((code[next]?.from ?? text.length) <= at) return whole
    return replace({ mark, name: name.normalize('NFC').trim(), shown }) ?? whole
  })
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
