import { isUtf8 } from 'node:buffer'

// Where a text declares its encoding: HTML within its first 1,024 bytes (HTML, 13.2.3.2), XML and CSS in its
// first line (XML 1.0, 4.3.3; CSS Syntax 3, 3.2), a program in a comment of its first two lines (PEP 263).
const DECLARED_WITHIN = 1_024
const IN_FIRST_LINES = [
  /^\s*<\?xml\s[^<>]{0,200}?\bencoding\s{0,10}=\s{0,10}["']([\w.:-]{1,40})["']/,
  /^@charset "([\w.:-]{1,40})";/,
  /^(?:[^\n]{0,200}\n)?[ \t]*#[^\n]{0,200}?coding[:=][ \t]*([\w.:-]{1,40})/,
]
const MARKUP = /^\s*</
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const META = /<meta[\s/]((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi
const ATTRIBUTE = /([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g
const CONTENT_CHARSET = /charset\s*=\s*["']?\s*([\w.:-]+)/i
// The control characters that texts have: tab, line feed, form feed, carriage return, escape.
const IN_TEXT = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])
// The bytes that windows-1252 does not define.
const UNDEFINED = new Set([0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d])
// Of a text in UTF-16, at least so many characters are of ASCII: line ends, blanks, digits, commas.
const MIN_ASCII_SHARE = 0.1
// Of a text in UTF-8, at most so many characters beyond ASCII are broken: what was cut off, or joined by
// another program.
const MAX_BROKEN_SHARE = 0.2

/**
 * Returns the encoding of a text, or of its beginning if it is not complete, by its name in the Encoding
 * Standard: UTF-8 or UTF-16 by its byte order mark, UTF-16 by its zeros, UTF-8 if the bytes are valid UTF-8,
 * the encoding that HTML, XML, CSS or a program declares, UTF-8 with few broken characters, else
 * windows-1252, which desktop programs write. Undefined for bytes that are not text.
 */
export function encodingOf(bytes: Buffer, { isWhole }: { isWhole: boolean }): string | undefined {
  const marked = markedEncoding(bytes)
  if (marked !== undefined) return marked
  if (bytes.includes(0)) return utf16By(bytes)
  const isUnicode = isUtf8(isWhole ? bytes : bytes.subarray(0, bytes.length - cutBytes(bytes)))
  const declared = declaredEncoding(bytes)
  // Other encodings are hardly ever valid UTF-8 by chance, but ISO-2022-JP has only ASCII bytes.
  if (isUnicode) return declared === 'iso-2022-jp' ? declared : 'utf-8'
  if (declared !== undefined) return declared
  if (isMostlyUtf8(bytes)) return 'utf-8'
  return bytes.every(isInText) ? 'windows-1252' : undefined
}

/**
 * Returns the encoding of a text that has this one by its beginning, and turned out further on not to be
 * valid UTF-8. A beginning with characters of UTF-8 beyond ASCII decides for the whole.
 */
export function encodingBeyond(head: Buffer, encoding: string): string {
  const isKnown = encoding !== 'utf-8' || markedEncoding(head) !== undefined || head.some((byte) => byte >= 0x80)
  return isKnown ? encoding : (declaredEncoding(head) ?? 'windows-1252')
}

/** Returns how many bytes at the end begin a character of UTF-8 that is not complete. */
export function cutBytes(bytes: Uint8Array): number {
  const last = bytes.subarray(-3)
  const first = last.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0)
  const begins = last[first] ?? 0
  const isCut = begins >= 0xc0 && last.length - first < (begins >= 0xf0 ? 4 : begins >= 0xe0 ? 3 : 2)
  return isCut ? last.length - first : 0
}

function markedEncoding(bytes: Buffer): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

/**
 * UTF-16 without a mark: the characters of ASCII in it have a zero, which is always the first of two bytes or
 * always the second.
 */
function utf16By(bytes: Buffer): string | undefined {
  const zeros = [0, 0]
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1))
    zeros[at % 2] = (zeros[at % 2] as number) + 1
  const [first, second] = zeros as [number, number]
  if ((first > 0 && second > 0) || first + second < (bytes.length / 2) * MIN_ASCII_SHARE) return undefined
  const encoding = second > 0 ? 'utf-16le' : 'utf-16be'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them.
    return /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/.test(text) ? undefined : encoding
  } catch {
    return undefined
  }
}

function isMostlyUtf8(bytes: Buffer): boolean {
  const beyond = new TextDecoder().decode(bytes).match(/[^\0-\x7f]/gu) ?? []
  return beyond.filter((character) => character === '\ufffd').length < beyond.length * MAX_BROKEN_SHARE
}

/**
 * Returns the encoding that a text declares, by the labels of the Encoding Standard. Undefined if it is not
 * known.
 */
function declaredEncoding(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, DECLARED_WITHIN)
  const labels = [
    ...IN_FIRST_LINES.map((pattern) => pattern.exec(head)?.[1]),
    ...(MARKUP.test(head) ? metaLabels(head) : []),
  ]
  return labels.map(encodingByLabel).find((encoding) => encoding !== undefined)
}

/**
 * The labels that elements of HTML declare, outside of comments: in `charset`, or in the `content` of a
 * Content-Type.
 */
function* metaLabels(head: string): Generator<string | undefined> {
  for (const [, attributes = ''] of head.replaceAll(COMMENT, '').matchAll(META)) {
    const values = new Map<string, string>()
    for (const [, name = '', ...given] of attributes.matchAll(ATTRIBUTE)) {
      const value = given.find((part) => part !== undefined) ?? ''
      if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value)
    }
    const isType = values.get('http-equiv')?.trim().toLowerCase() === 'content-type'
    yield values.get('charset') ?? (isType ? CONTENT_CHARSET.exec(values.get('content') ?? '')?.[1] : undefined)
  }
}

function encodingByLabel(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  // HTML, 13.2.3.2: that one is read as this one.
  if (label.trim().toLowerCase() === 'x-user-defined') return 'windows-1252'
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
