import { FLAG, normalizeName } from '../../platform/http/route/names.ts'

const MAX_BYTES = 200
const FALLBACK = 'file'
// Control, format (bidirectional marks among them), private and unassigned characters, and lone surrogates.
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]--[\u200c\u200d]]/v
const INVISIBLE_OR_FLAG = new RegExp(`${FLAG.source}|${INVISIBLE.source}`, 'gv')
const SEPARATORS = /[/\\]/g
// They delimit a reference in a page's text.
const BRACKETS: Readonly<Record<string, string>> = { '[': '(', ']': ')', '|': '_' }

/**
 * Returns a name in its stored form: NFC, without invisible characters, separators and the characters of
 * references, and at most 200 bytes long; the extension is kept.
 */
export function sanitizeName(name: string): string {
  const plain = normalizeName(name)
    .replaceAll(INVISIBLE_OR_FLAG, (found) => (found.length > 4 ? found : ''))
    .replaceAll(SEPARATORS, '_')
    .replaceAll(/[[\]|]/g, (character) => BRACKETS[character] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[. ]+$/, '')
  if (/^\.*$/.test(plain)) return FALLBACK
  const { stem, extension } = splitName(plain)
  return shorten(stem, MAX_BYTES - Buffer.byteLength(extension)) + extension
}

/**
 * Gives out names, each once: the one that is asked for, or with ` (2)`, ` (3)` and so on before its
 * extension. It counts from the last number of each name, because counting from 2 each time takes minutes for
 * some thousand equal names.
 */
export class FreeNames {
  readonly #taken: Set<string>
  readonly #keyOf: (name: string) => string
  readonly #next = new Map<string, number>()

  /**
   * @param taken The keys of names that are not given out.
   * @param keyOf Returns the key of a name. No two names with the same key are given out.
   */
  constructor(taken: Iterable<string> = [], keyOf = (name: string) => name) {
    this.#taken = new Set(taken)
    this.#keyOf = keyOf
  }

  /** Returns a name that is free, and takes it. */
  take(stem: string, extension = ''): string {
    const asked = `${this.#keyOf(stem)}\n${extension}`
    for (let number = this.#next.get(asked) ?? 1; ; number++) {
      const name = number === 1 ? `${stem}${extension}` : `${stem} (${number})${extension}`
      const key = this.#keyOf(name)
      if (this.#taken.has(key)) continue
      this.#taken.add(key)
      this.#next.set(asked, number + 1)
      return name
    }
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
