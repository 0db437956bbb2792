import { Problem } from '../../../errors.ts'
import { httpProblems } from './problems.ts'

const MAX_DEPTH = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

const COLON = 0x3a
const PROTOTYPE = '__proto__'

/**
 * Parses a JSON body. Throws request/malformed for bytes that are not JSON text in UTF-8, that name a member
 * twice (RFC 8259, 4: readers differ in which one counts), or that are nested too deep, which is checked
 * before any recursion; and request/invalid, naming the field, for values that cannot be stored exactly.
 */
export function parseJson(bytes: Buffer): unknown {
  const { depth, members } = shapeOf(bytes)
  if (depth > MAX_DEPTH) throw malformed(`The JSON is nested deeper than ${MAX_DEPTH} levels.`)
  const value = parse(bytes)
  if (countStorable(value, []) !== members) throw malformed('An object in the body names a member twice.')
  return value
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw malformed('The body is not a JSON text in UTF-8.')
  }
}

// In UTF-8 no byte of a multi-byte character equals one of these signs, so the bytes can be scanned directly.
function shapeOf(bytes: Buffer): { depth: number; members: number } {
  let depth = 0
  let deepest = 0
  let members = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (isInString && byte === BACKSLASH) at++
    else if (byte === QUOTE) isInString = !isInString
    else if (isInString) continue
    else if (byte === COLON) members++
    else if (OPENING.has(byte)) deepest = Math.max(deepest, ++depth)
    else if (CLOSING.has(byte)) depth--
  }
  return { depth: deepest, members }
}

// Also counts the members of all objects in the value: a parser keeps only the last of members with the same
// name, so a lower count reveals duplicates.
function countStorable(value: unknown, path: readonly string[]): number {
  if (typeof value === 'string') requireStorable(value, path.join('.'))
  if (typeof value === 'number') requireFinite(value, path)
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.entries(value)
  let count = Array.isArray(value) ? 0 : members.length
  for (const [name, member] of members) {
    requireStorable(name, path.join('.'))
    if (name === PROTOTYPE) throw invalid('is a name that no member can have', [...path, name])
    count += countStorable(member, [...path, name])
  }
  return count
}

// A number beyond the range of a double becomes infinite, which JSON cannot represent.
function requireFinite(value: number, path: readonly string[]): void {
  if (!Number.isFinite(value)) throw invalid('is a number too large to be kept', path)
}

/** Throws request/invalid for text that Postgres cannot hold: a NUL, or half of a surrogate pair. */
export function requireStorable(text: string, field: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return
  throw new Problem(httpProblems.invalid, {
    detail: 'Text may contain neither a NUL character nor half of a surrogate pair.',
    ...(field === '' ? {} : { field }),
  })
}

function invalid(what: string, path: readonly string[]): Problem {
  const field = path.join('.')
  return new Problem(httpProblems.invalid, { detail: `${field} ${what}.`, ...(field === '' ? {} : { field }) })
}

function malformed(detail: string): Problem {
  return new Problem(httpProblems.malformed, { detail })
}
