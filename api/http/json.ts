import { Problem } from '../errors.ts'

const MAX_DEPTH = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Parses a JSON body. Throws request/malformed for bytes that are no JSON text in UTF-8 or are nested too deep, which
 * is seen before anything recurses into it, and request/invalid, naming the field, for text no database holds.
 */
export function parseJson(bytes: Buffer): unknown {
  if (depthOf(bytes) > MAX_DEPTH) throw malformed(`The JSON is nested deeper than ${MAX_DEPTH} levels.`)
  const value = parse(bytes)
  refuseUnstorable(value, [])
  return value
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw malformed('The body is not a JSON text in UTF-8.')
  }
}

// In UTF-8 no byte of a longer character equals one of these signs, so the bytes can be read as they are.
function depthOf(bytes: Buffer): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (isInString && byte === BACKSLASH) at++
    else if (byte === QUOTE) isInString = !isInString
    else if (!isInString && OPENING.has(byte)) deepest = Math.max(deepest, ++depth)
    else if (!isInString && CLOSING.has(byte)) depth--
  }
  return deepest
}

function refuseUnstorable(value: unknown, path: string[]): void {
  if (typeof value === 'string') requireStorable(value, path.join('.'))
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    requireStorable(key, path.join('.'))
    refuseUnstorable(member, [...path, key])
  }
}

/** Throws request/invalid for text that Postgres cannot hold: a NUL, or half of a surrogate pair. */
export function requireStorable(text: string, field: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return
  throw new Problem('request/invalid', {
    detail: 'Text may hold neither a NUL character nor half of a surrogate pair.',
    field,
  })
}

function malformed(detail: string): Problem {
  return new Problem('request/malformed', { detail })
}
