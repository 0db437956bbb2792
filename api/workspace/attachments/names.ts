const MAX_BYTES = 200
const FALLBACK = 'file'
// Control, format (bidirectional marks among them), private and unassigned characters, and lone surrogates.
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]--[\u200c\u200d]]/gv
// Joiners stay within a word, as in Persian, or an emoji.
const STRAY_JOINERS =
  /(?<![[\p{L}\p{M}\p{ExtPict}\p{EMod}]--[A-Za-z]])[\u200c\u200d]|[\u200c\u200d](?![[\p{L}\p{M}\p{ExtPict}]--[A-Za-z]])/gv
const SEPARATORS = /[/\\]/g
// They delimit a reference in a page's text.
const BRACKETS: Readonly<Record<string, string>> = { '[': '(', ']': ')', '|': '_' }

/**
 * Returns a name in its stored form: NFC, without invisible characters, separators and the characters of references, and at most
 * 200 bytes long; the extension is kept.
 */
export function sanitizeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(STRAY_JOINERS, '')
    .replaceAll(SEPARATORS, '_')
    .replaceAll(/[[\]|]/g, (character) => BRACKETS[character] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[. ]+$/, '')
  if (/^\.*$/.test(plain)) return FALLBACK
  const { stem, extension } = splitName(plain)
  return shorten(stem, MAX_BYTES - Buffer.byteLength(extension)) + extension
}

/** Returns the first name that is not taken: the name itself, or with ` (2)`, ` (3)` and so on before its extension. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const { stem, extension } = splitName(name)
  for (let number = 2, free = name; ; number++) {
    if (!taken.has(free)) return free
    free = `${stem} (${number})${extension}`
  }
}

/** Splits a name before its extension, which is at most 20 characters long. */
export function splitName(name: string): { stem: string; extension: string } {
  const at = name.lastIndexOf('.')
  if (at <= 0 || name.length - at > 20) return { stem: name, extension: '' }
  return { stem: name.slice(0, at), extension: name.slice(at) }
}

function shorten(text: string, maxBytes: number): string {
  let short = ''
  for (const character of text) {
    if (Buffer.byteLength(short + character) > maxBytes) return short.trimEnd()
    short += character
  }
  return short
}
