import { isUtf8 } from 'node:buffer'

// Where HTML and XML declare their encoding (HTML, 13.2.3.2: within the first 1,024 bytes; XML 1.0, 4.3.3).
const DECLARED_WITHIN = 1_024
const XML_DECLARATION = /^\s*<\?xml\s[^<>]{0,200}?\bencoding\s{0,10}=\s{0,10}["']([\w.:-]{1,40})["']/
const META = /<meta\s[^<>]{0,500}?\bcharset\s{0,10}=\s{0,10}["']?\s{0,10}([\w.:-]{1,40})/i
// The control characters that texts have: tab, line feed, form feed, carriage return, escape.
const IN_TEXT = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])
// The bytes that windows-1252 does not define.
const UNDEFINED = new Set([0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d])

/**
 * Returns the encoding of a text, or of its beginning if it is not complete, by its name for TextDecoder: UTF-16 by its byte
 * order mark, UTF-8 if the bytes are valid UTF-8, the encoding that HTML or XML declares, else windows-1252, which desktop
 * programs write. Undefined for bytes that are not text.
 */
export function encodingOf(bytes: Buffer, { isWhole }: { isWhole: boolean }): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (bytes.includes(0)) return undefined
  // A beginning may end within a character, which has at most four bytes.
  const cuts = isWhole ? [0] : [0, 1, 2, 3]
  const isUnicode = cuts.some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)))
  const declared = declaredEncoding(bytes)
  // Other encodings are hardly ever valid UTF-8 by chance, but ISO-2022-JP has only ASCII bytes.
  if (isUnicode) return declared === 'iso-2022-jp' ? declared : 'utf-8'
  return declared ?? (bytes.every(isInText) ? 'windows-1252' : undefined)
}

/** Returns the encoding that HTML or XML declares, by the labels of the Encoding Standard. Undefined if it is not known. */
function declaredEncoding(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, DECLARED_WITHIN)
  const label = (XML_DECLARATION.exec(head) ?? META.exec(head))?.[1]
  if (label === undefined) return undefined
  try {
    const { encoding } = new TextDecoder(label)
    // A text whose declaration reads as ASCII is not UTF-16, and UTF-8 is tried without a declaration.
    return /^utf-/.test(encoding) ? undefined : encoding
  } catch {
    return undefined
  }
}

function isInText(byte: number): boolean {
  return byte < 0x20 ? IN_TEXT.has(byte) : !UNDEFINED.has(byte)
}

/** Returns the bytes of a text in UTF-8. Bytes that are not text are returned as they are. */
export function toUtf8(bytes: Buffer): Buffer {
  const encoding = encodingOf(bytes, { isWhole: true })
  return encoding === undefined || encoding === 'utf-8' ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes))
}
