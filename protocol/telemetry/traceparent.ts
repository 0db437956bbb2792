// Version, trace id, parent id, flags. A later version may append fields (W3C Trace Context, 4.3).
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
// 2 characters, 32, 16, 2, and the dashes between them.
const LENGTH = 55
/** The flags that this version knows: sampled, and random. */
const KNOWN_FLAGS = 0b11

/** The parts of a `traceparent`. */
export interface TraceParts {
  traceId: string
  parentId: string
  flags: number
}

/**
 * Reads a `traceparent` (W3C Trace Context) from a header or a row. Returns undefined for anything else:
 * whoever sends one has no other effect with it.
 */
export function readTraceparent(value: unknown): TraceParts | undefined {
  if (typeof value !== 'string' || value.length > 512) return undefined
  const [, version, traceId, parentId, flags] = FORM.exec(value) ?? []
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined
  if (version === '00' && value.length !== LENGTH) return undefined
  return { traceId, parentId, flags: Number.parseInt(flags, 16) & KNOWN_FLAGS }
}

/** Writes a `traceparent` of version 00, the only form that is stored and sent. */
export function writeTraceparent({ traceId, parentId, flags }: TraceParts): string {
  return `00-${traceId}-${parentId}-${(flags & KNOWN_FLAGS).toString(16).padStart(2, '0')}`
}
