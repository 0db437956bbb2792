import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { Problem } from '../../../errors.ts'
import type { RequestContext } from './services.ts'

const HEADERS_BY_STATUS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'Bearer realm="market"' },
  503: { 'Retry-After': '1' },
}
const HEADERS_BY_NAME: Readonly<Record<string, Record<string, string>>> = {
  'idempotency/in-flight': { 'Retry-After': '1' },
}

/** Returns the path of the page about a problem, on this server. */
export function problemPage(problem: string): string {
  return `/problems/${problem}`
}

/** Returns the type of a problem in the current version. */
export function problemType(problem: string): string {
  return `market:error:${problem}`
}

/** Returns the `code` of a problem of the workspace (workspace spec 7): its name without the area. */
export function problemCode(problem: string): string {
  return problem.slice(problem.lastIndexOf('/') + 1).replaceAll('-', '_')
}

/** Returns a problem in its wire form (RFC 9457, spec 7). The instance is the request's id in our log. */
export function problemBody(problem: Problem, requestId: string, type = problemType(problem.problem)) {
  const { status, title } = problem.type
  return {
    type,
    title,
    status,
    detail: problem.detail,
    instance: urnString('request', requestId),
    ...(problem.field === undefined ? {} : { field: problem.field }),
    ...(problem.reasons === undefined ? {} : { reasons: problem.reasons }),
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...(problem.payoutFrom === undefined ? {} : { payout_from: problem.payoutFrom.toISOString() }),
    ...(problem.orderId === undefined ? {} : { order_urn: urn('order', problem.orderId) }),
  }
}

/**
 * Returns the headers of a problem: its media type, the link to its page (RFC 8288), and those that its type
 * requires.
 */
export function problemHeaders({ type: { name, status }, retryAfterSeconds }: Problem): Record<string, string> {
  return {
    'Content-Type': 'application/problem+json',
    Link: `<${problemPage(name)}>; rel="help"`,
    ...HEADERS_BY_STATUS[status],
    ...HEADERS_BY_NAME[name],
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  }
}

/**
 * Builds the response to a request that failed with a problem. `type` is its type in the version of the
 * request.
 */
export function respondProblem(
  context: RequestContext,
  problem: Problem,
  type: string,
  headers: Record<string, string> = {},
): Response {
  const code = context.get('isWorkspace') ? { code: problemCode(problem.problem) } : {}
  const body = { ...problemBody(problem, context.get('requestId'), type), ...code }
  // The presented credential is invalid (RFC 6750, 3.1). Without a credential the caller learns only that one
  // is needed.
  const isTokenRefused = problem.problem === 'auth/unauthenticated' && context.req.header('Authorization') !== undefined
  // Checksum mismatches have a status that Hono does not list.
  return context.body(JSON.stringify(body), body.status as ContentfulStatusCode, {
    ...problemHeaders(problem),
    ...(isTokenRefused ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {}),
    ...headers,
  })
}
