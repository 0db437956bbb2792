import { isUtf8 } from 'node:buffer'

/** An encoding of text, as TextDecoder names it. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

// Of the bytes that are control characters, those that texts have: tab, line feed, form feed, carriage return, escape.
const IN_TEXT = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])
// What windows-1252 does not define.
const UNDEFINED = new Set([0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d])

/**
 * Returns the encoding of a text, or of its beginning where it is not whole: UTF-16 by its byte order mark, UTF-8 where the
 * bytes are that, else windows-1252, which programs for the desktop write. Undefined for what is no text.
 */
export function encodingOf(bytes: Buffer, { isWhole }: { isWhole: boolean }): Encoding | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (bytes.includes(0)) return undefined
  // A beginning may end within a character, which has at most four bytes.
  const cuts = isWhole ? [0] : [0, 1, 2, 3]
  if (cuts.some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)))) return 'utf-8'
  return bytes.every(isInText) ? 'windows-1252' : undefined
}

function isInText(byte: number): boolean {
  return byte < 0x20 ? IN_TEXT.has(byte) : !UNDEFINED.has(byte)
}

/** Returns the bytes of a text in UTF-8. What is no text is returned as it is. */
export function toUtf8(bytes: Buffer): Buffer {
  const encoding = encodingOf(bytes, { isWhole: true })
  return encoding === undefined || encoding === 'utf-8' ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes))
}
