import { PdfInformation } from './pdfInformation.ts'

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
