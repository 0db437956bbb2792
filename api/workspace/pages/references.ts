import { codeIn } from './code.ts'

// A name has none of these characters (attachments/names.ts), and no title or file name is longer than 250 of
// them. The part from # on names a section. The part after | is the text that the reader is shown; in a table
// the | is written \|.
const REFERENCE = /(?<!\\)(!?)\[\[([^[\]|\r\n]{1,1250}?)(\\?\|[^[\]\r\n]*)?\]\]/g
const MAX_NAME = 250
/** How many nested sections are told apart in a name with # in it. */
const MAX_SECTIONS = 8

/** How a new attachment is referred to in the text of its page. */
export type Insert = 'none' | 'embed' | 'link'

/** Returns the reference to an attachment: `![[name]]` shows the file, `[[name]]` links to it. */
export function referenceTo(filename: string, insert: Exclude<Insert, 'none'>): string {
  return `${insert === 'embed' ? '!' : ''}[[${filename}]]`
}

/**
 * Returns a text with a reference inserted at a byte offset of its UTF-8 form, or, without an offset, on a
 * line of its own at the end. An offset beyond the end means the end, and one within a character means before
 * that character.
 */
export function insertReference(text: string, reference: string, cursor: number | null): string {
  if (cursor === null) return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${reference}`
  const bytes = Buffer.from(text)
  let at = Math.min(cursor, bytes.length)
  while (at > 0 && isContinuation(bytes[at])) at -= 1
  return `${bytes.subarray(0, at)}${reference}${bytes.subarray(at)}`
}

/**
 * Returns a text in which every reference to one name is replaced by a reference to another. `known` lists
 * longer names with a # in them: references to these only look as if they named a section. Code stays as it
 * is.
 */
export function rewriteReferences(
  text: string,
  from: string,
  to: string,
  known: ReadonlySet<string> = new Set(),
): string {
  return replaceReferences(text, ({ mark, target, shown }) => {
    const led = sectionsOf(target).find(({ name }) => name === from || known.has(name))
    return led?.name === from ? `${mark}[[${to}${led.section}${shown}]]` : undefined
  })
}

/** Whether a name can be referred to. */
export function isReferable(name: string): boolean {
  return !/[[\]|\r\n]|\\$/.test(name)
}

/**
 * Returns the names that a text may refer to: for `[[A#B]]` both A#B and A, because a name may have a # in
 * it.
 */
export function namesIn(text: string): string[] {
  const names = new Set<string>()
  replaceReferences(text, ({ target }) => {
    for (const { name } of sectionsOf(target)) if (name !== '' && name.length <= MAX_NAME) names.add(name)
    return undefined
  })
  return [...names]
}

/**
 * Returns the names, of those present, that the references of a text lead to: for each reference the longest
 * name that it begins with.
 */
export function ledNames(text: string, present: ReadonlySet<string>): Set<string> {
  const led = new Set<string>()
  replaceReferences(text, ({ target }) => {
    const found = sectionsOf(target).find(({ name }) => present.has(name))
    if (found) led.add(found.name)
    return undefined
  })
  return led
}

/**
 * Returns a text as readers see it: each reference to a name that is not present is replaced by a marker.
 * `[[#Section]]` leads to the page itself.
 */
export function renderReferences(text: string, present: ReadonlySet<string>): string {
  return replaceReferences(text, ({ target }) => {
    const ways = sectionsOf(target)
    const isName = ways.some(({ name }) => name.length <= MAX_NAME)
    const isPresent = !isName || ways.some(({ name }) => name === '' || present.has(name))
    return isPresent ? undefined : `[missing attachment: ${target}]`
  })
}

/**
 * Returns the ways to read the target of a reference, the longest name first: as a name, or as a name and a
 * section with its #. The name of `#Section` is empty: it is the page itself.
 */
export function sectionsOf(target: string): { name: string; section: string }[] {
  const whole = target.normalize('NFC').trim()
  const ways = [{ name: whole, section: '' }]
  for (let at = whole.lastIndexOf('#'); at >= 0 && ways.length <= MAX_SECTIONS; at = whole.lastIndexOf('#', at - 1)) {
    ways.push({ name: whole.slice(0, at).trim(), section: whole.slice(at) })
    if (at === 0) break
  }
  return ways
}

interface Reference {
  mark: string
  /** Returns a name in the form of stored titles and file names: NFC, without spaces around it. */
  target: string
  shown: string
}

/**
 * Replaces references by the result of a function. A reference stays if the result is undefined, and so does
 * code.
 */
function replaceReferences(text: string, replace: (reference: Reference) => string | undefined): string {
  if (!text.includes('[[')) return text
  const code = codeIn(text)
  let next = 0
  return text.replaceAll(REFERENCE, (whole: string, mark: string, target: string, shown = '', at: number) => {
    while (next < code.length && (code[next]?.to ?? 0) <= at) next++
    if ((code[next]?.from ?? text.length) <= at) return whole
    return replace({ mark, target: target.normalize('NFC').trim(), shown }) ?? whole
  })
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
