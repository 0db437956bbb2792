const UTF_16: readonly { mark: readonly [number, number]; encoding: string }[] = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
]
// Text contains no control characters except tab, line breaks and form feed. U+0080 and above may be letters
// in one-byte encodings, which are not told apart.
const CONTROL = /[^\P{Cc}\t\n\f\r\u0080-\u009f]/u

/** The bytes to check, and the text that they encode. */
export interface Content {
  bytes: Uint8Array
  /** Undefined for bytes that are not text. */
  text: string | undefined
  isUnicode: boolean
}

/**
 * Reads bytes as text: UTF-16 if they have its mark, else UTF-8, else a one-byte encoding, of which only
 * ASCII is certain.
 */
export function contentOf(bytes: Uint8Array): Content {
  const wide = UTF_16.find(({ mark }) => mark[0] === bytes[0] && mark[1] === bytes[1])?.encoding
  const text = decode(bytes, wide ?? 'utf-8')
  if (text !== undefined || wide !== undefined) return { bytes, text, isUnicode: true }
  return { bytes, text: decode(bytes, 'windows-1252'), isUnicode: false }
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return CONTROL.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Returns the JSON value of a content, or undefined if it is not JSON. */
export function jsonOf({ text, isUnicode }: Content): { value: unknown } | undefined {
  if (text === undefined || !isUnicode) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Returns whether a JSON value has a number, a boolean or a string that is not blank anywhere in it. */
export function hasValue(json: unknown): boolean {
  const left: unknown[] = [json]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' ? value.trim() !== '' : typeof value !== 'object') return true
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner)
  }
  return false
}
