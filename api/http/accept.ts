import { Problem } from '../errors.ts'
import type { RouteDefinition } from './route.ts'
import type { RequestContext } from './serve.ts'

// The nearer a range names it, the more it counts (RFC 9110, 12.5.1).
const RANGES = ['application/json', 'application/*', '*/*']

/**
 * Throws 406 where every answer of a route is JSON and the caller says it takes none (RFC 9110, 12.5.1). Problems are
 * sent whatever is accepted: a caller that cannot read one has its status.
 */
export function requireJsonAccepted(route: RouteDefinition, context: RequestContext): void {
  const accept = context.req.header('Accept')
  if (accept === undefined || !Object.values(route.answers).some(({ schema }) => schema)) return
  if (takesJson(accept)) return
  throw new Problem('request/not-acceptable', {
    detail: 'Answers are application/json: accept that, or leave out the header.',
    field: 'Accept',
  })
}

// An empty header accepts as much as none.
function takesJson(accept: string): boolean {
  const ranges = accept.split(',').map(readRange)
  if (ranges.every(({ type }) => type === '')) return true
  const nearest = RANGES.find((range) => ranges.some(({ type }) => type === range))
  return ranges.some(({ type, isRefused }) => type === nearest && !isRefused)
}

function readRange(range: string): { type: string; isRefused: boolean } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  return { type, isRefused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) }
}
