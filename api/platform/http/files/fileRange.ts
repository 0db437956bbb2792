import type { ByteRange } from '../../blobs/store.ts'

const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i

/** The headers of a request that say which bytes it wants (RFC 9110, 13 and 14). */
export interface RangeHeaders {
  range: string | undefined
  ifRange: string | undefined
}

/**
 * Returns the bytes that a request asks for. Undefined means all of them: the request names none, names
 * several ranges, which we do not serve, or names those of another version of the file. `unsatisfiable` means
 * that the file has none of them.
 */
export function rangeOf(
  { range, ifRange }: RangeHeaders,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = ONE_RANGE.exec(range ?? '') ?? []
  if ((from === '' && to === '') || (ifRange !== undefined && ifRange !== etag)) return undefined
  const end = sizeBytes - 1
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { first: sizeBytes - length, last: end }
  }
  const first = Number(from)
  const last = to === '' ? end : Number(to)
  if (last < first && to !== '') return undefined
  return first > end ? 'unsatisfiable' : { first, last: Math.min(last, end) }
}

/** Tells whether If-None-Match names a tag: its sender already has these bytes (RFC 9110, 13.1.2). */
export function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
