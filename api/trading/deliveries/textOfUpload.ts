// ISO 32000-1, 14.3.3: the entries of the document information dictionary that are text, as literal or
// hexadecimal strings.
const ENTRY =
  /\/(?:Title|Author|Subject|Keywords|Creator)\s{0,8}(?:\(((?:\\[\s\S]|[^\\()]){1,1000})\)|<([0-9A-Fa-f\s]{2,4000})>)/g
const MAX_ENTRY_CHARACTERS = 4_100
const MAX_CHARACTERS = 8_000
const HEADER_WITHIN = 1_024
const MARK = '\xfe\xff'
// A visible character. Bytes that are not text decode to a replacement character, which is visible.
const INK = /[^\s\p{C}\u115f\u1160\u2800\u3164\uffa0]/u
// Characters that occur in no text, or that stand for bytes that are not text.
const NO_TEXT = /[^\P{Cc}\t\n\f\r]|\uFFFD/u

const BEGINNING_CHARACTERS = 48_000
const END_CHARACTERS = 16_000

/** Collects an excerpt of an upload's text, piece by piece as its bytes arrive. */
export class TextOfUpload {
  /** No bytes so far, or text of nothing but white space and invisible characters. */
  isBlank = true
  readonly #decoder = new TextDecoder()
  readonly #about = new PdfInformation()
  #beginning = ''
  #end = ''

  add(piece: Uint8Array): void {
    this.#about.add(piece)
    const text = this.#decoder.decode(piece, { stream: true })
    this.isBlank &&= !INK.test(text)
    const missing = BEGINNING_CHARACTERS - this.#beginning.length
    if (missing > 0) this.#beginning += text.slice(0, missing)
    this.#end = (this.#end + text.slice(Math.max(0, missing))).slice(-END_CHARACTERS)
  }

  /** Returns the beginning and the end of the text, the document information of a PDF, or null. */
  excerpt(): string | null {
    const text = this.#end === '' ? this.#beginning : `${this.#beginning}\n${this.#end}`
    if (this.isBlank) return null
    return NO_TEXT.test(text) ? this.#about.words() : text.toWellFormed()
  }
}

/**
 * Collects the document information of a PDF, such as its title, piece by piece as its bytes arrive.
 * Compressed parts are not read.
 */
class PdfInformation {
  readonly #found = new Set<string>()
  #isPdf: boolean | undefined
  #rest = ''
  #characters = 0

  add(piece: Uint8Array): void {
    if (this.#isPdf === false) return
    this.#rest += Buffer.from(piece).toString('latin1')
    if (this.#isPdf || this.#rest.length >= HEADER_WITHIN) this.#read()
  }

  /** Returns the entries, one per line, or null if there are none. */
  words(): string | null {
    this.#read()
    return this.#found.size === 0 ? null : [...this.#found].join('\n').toWellFormed()
  }

  #read(): void {
    this.#isPdf ??= this.#rest.slice(0, HEADER_WITHIN).includes('%PDF-')
    if (!this.#isPdf) return
    for (const [, literal, hex] of this.#rest.matchAll(ENTRY)) {
      const bytes =
        literal?.replaceAll(/\\([()\\])/g, '$1') ??
        Buffer.from(hex?.replaceAll(/\s/g, '') ?? '', 'hex').toString('latin1')
      const text = decoded(bytes)
      if (this.#found.has(text) || this.#characters + text.length > MAX_CHARACTERS) continue
      this.#found.add(text)
      this.#characters += text.length
    }
    this.#rest = this.#rest.slice(-MAX_ENTRY_CHARACTERS)
  }
}

/**
 * Text is UTF-16 if it begins with the mark; otherwise it is in an encoding of PDF that has the letters of
 * Latin-1.
 */
function decoded(bytes: string): string {
  if (!bytes.startsWith(MARK)) return bytes
  return new TextDecoder('utf-16be').decode(Buffer.from(bytes.slice(MARK.length), 'latin1'))
}
