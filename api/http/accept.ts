import { Problem } from '../errors.ts'
import type { RouteDefinition } from './route.ts'
import type { RequestContext } from './serve.ts'

const JSON_RANGES = new Set(['application/json', 'application/*', '*/*'])

/**
 * Throws 406 where every answer of a route is JSON and the caller says it takes none (RFC 9110, 12.5.1). Problems are
 * sent whatever is accepted: a caller that cannot read one has its status.
 */
export function requireJsonAccepted(route: RouteDefinition, context: RequestContext): void {
  const accept = context.req.header('Accept')
  if (accept === undefined || !Object.values(route.answers).some(({ schema }) => schema)) return
  if (accept.split(',').some(takesJson)) return
  throw new Problem('request/not-acceptable', {
    detail: 'Answers are application/json: accept that, or leave out the header.',
    field: 'Accept',
  })
}

function takesJson(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  return JSON_RANGES.has(type) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
}
