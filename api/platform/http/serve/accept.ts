import { Problem } from '../../../errors.ts'
import type { RouteDefinition } from '../route/route.ts'
import { httpProblems } from './problems.ts'
import type { RequestContext } from './services.ts'

/**
 * Throws 406 if every answer of a route is JSON and the Accept header excludes JSON (RFC 9110, 12.5.1).
 * Problems are sent regardless of Accept: a caller that cannot read the body still has the status.
 */
export function requireJsonAccepted(route: RouteDefinition, context: RequestContext): void {
  const accept = context.req.header('Accept')
  // A route with other kinds of answers chooses by the header, and never refuses because of it.
  const isJson = Object.values(route.answers).some(({ schema, contentType }) => schema && !contentType)
  if (!isJson || acceptsType(accept, 'application/json')) return
  throw new Problem(httpProblems.notAcceptable, {
    detail: 'Answers are application/json: accept that, or leave out the header.',
    field: 'Accept',
  })
}

/**
 * Tells whether a caller of a route that can also answer JSON wants a stream: it does unless it names JSON.
 */
export function asksForStream(context: RequestContext): boolean {
  const ranges = (context.req.header('Accept') ?? '').split(',').map(readRange)
  const names = (wanted: string) => ranges.some(({ type, isRefused }) => type === wanted && !isRefused)
  return names('text/event-stream') || !names('application/json')
}

/** Tells whether an Accept header, or a missing one, lets an answer be of a media type. */
export function acceptsType(accept: string | undefined, wanted: string): boolean {
  const ranges = (accept ?? '').split(',').map(readRange)
  // An empty header means the same as a missing one.
  if (ranges.every(({ type }) => type === '')) return true
  // The most specific range counts.
  const possible = [wanted, wanted.replace(/\/.*/, '/*'), '*/*']
  const nearest = possible.find((range) => ranges.some(({ type }) => type === range))
  return ranges.some(({ type, isRefused }) => type === nearest && !isRefused)
}

function readRange(range: string): { type: string; isRefused: boolean } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  return { type, isRefused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) }
}
