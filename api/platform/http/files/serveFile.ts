import type { PublicCall } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import type { ByteRange } from '../../blobs/store.ts'
import type { Tx } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FreeRoute, RouteDefinition } from '../route/route.ts'
import { httpProblems } from '../serve/problems.ts'
import { type Input, receive } from '../serve/receive.ts'
import type { ServedRoute } from '../serve/serve.ts'
import type { RequestContext, Services } from '../serve/services.ts'
import { untransformed } from '../serve/untransformed.ts'

const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i

/** The properties of a file that are known before it is opened. */
export interface FileDescription {
  sizeBytes: number
  /** A strong tag of its bytes, with its quotes (RFC 9110, 8.8.3). */
  etag: string
  headers: Record<string, string>
}

/** How a public route serves a file to any holder of a link. */
export interface FileRun<Route extends RouteDefinition, Found> {
  /** Looks up the target of the link and checks that the link is valid. Throws a Problem otherwise. */
  find: (tx: Tx, call: PublicCall, input: Input<Route>) => Promise<Found>
  describe: (found: Found) => FileDescription
  /**
   * Opens the bytes, or a range of them. They are read as fast as the receiver takes them. Returns undefined
   * if they no longer exist.
   */
  open: (
    services: Pick<Services, 'settings'>,
    found: Found,
    range: ByteRange | undefined,
  ) => Promise<ReadableStream<Uint8Array> | undefined>
}

/**
 * Binds a public route to a file: a transaction looks the file up, and it is streamed afterwards, whole or in
 * part.
 */
export function serveFile<Route extends FreeRoute & { access: 'public' }, Found>(
  route: Route,
  { find, describe, open }: FileRun<Route, Found>,
): ServedRoute {
  return {
    route,
    respond: async (services, context) => {
      const { call, input } = await receive(services, route, context)
      const found = await inTransaction(services.db, 'read only', (tx) => find(tx, call, input))
      const file = describe(found)
      const headers = untransformed({ ...file.headers, ETag: file.etag, 'Accept-Ranges': 'bytes' })
      if (hasTag(context.req.header('If-None-Match'), file.etag)) return context.body(null, 304, headers)
      // Hono handles HEAD with the same handler and drops the body, which would leave an open file.
      if (context.req.raw.method === 'HEAD') return context.body(null, 200, { ...headers, ...lengthOf(file.sizeBytes) })
      const range = requireRange(context, file)
      const bytes = await open(services, found, range)
      if (!bytes) throw notFound('file')
      if (!range) return context.body(bytes as ReadableStream, 200, { ...headers, ...lengthOf(file.sizeBytes) })
      const { first, last } = range
      const part = { 'Content-Range': `bytes ${first}-${last}/${file.sizeBytes}`, ...lengthOf(last - first + 1) }
      return context.body(bytes as ReadableStream, 206, { ...headers, ...part })
    },
  }
}

function requireRange(context: RequestContext, file: FileDescription): ByteRange | undefined {
  const asked = { range: context.req.header('Range'), ifRange: context.req.header('If-Range') }
  const range = rangeOf(asked, file)
  if (range !== 'unsatisfiable') return range
  context.header('Content-Range', `bytes */${file.sizeBytes}`)
  throw new Problem(httpProblems.rangeNotSatisfiable, {
    detail: `The file has ${file.sizeBytes} bytes, counted from 0.`,
    field: 'Range',
  })
}

function lengthOf(bytes: number): Record<string, string> {
  return { 'Content-Length': String(bytes) }
}

/** The headers of a request that say which bytes it wants (RFC 9110, 13 and 14). */
interface RangeHeaders {
  range: string | undefined
  ifRange: string | undefined
}

/**
 * Returns the bytes that a request asks for. Undefined means all of them: the request names none, names
 * several ranges, which we do not serve, or names those of another version of the file. `unsatisfiable` means
 * that the file has none of them.
 */
function rangeOf(
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
function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
