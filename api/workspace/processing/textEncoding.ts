/** Returns the encoding of a text by its first bytes: UTF-16 by its byte order mark, else UTF-8. */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Returns the bytes of a text in UTF-8. */
export function toUtf8(bytes: Buffer): Buffer {
  const encoding = encodingOf(bytes)
  return encoding === 'utf-8' ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes))
}
