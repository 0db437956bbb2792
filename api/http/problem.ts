import { urnString } from '../../protocol/urn.ts'
import { type Problem, type ProblemName, problems } from '../errors.ts'

const HEADERS_BY_STATUS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'Bearer realm="market"' },
  503: { 'Retry-After': '1' },
}
const HEADERS_BY_NAME: Partial<Record<ProblemName, Record<string, string>>> = {
  'idempotency/in-flight': { 'Retry-After': '1' },
}

/** A problem as it travels (RFC 9457, spec 7). The instance names the request in our log. */
export function problemBody(problem: Problem, requestId: string) {
  const { status, title } = problems[problem.problem]
  return {
    type: `market:error:${problem.problem}`,
    title,
    status,
    detail: problem.detail,
    instance: urnString('request', requestId),
    ...(problem.field === undefined ? {} : { field: problem.field }),
    ...(problem.reasons === undefined ? {} : { reasons: problem.reasons }),
  }
}

/** The answer to a request that met a problem. */
export function problemResponse(problem: Problem, requestId: string, headers: Record<string, string> = {}): Response {
  const body = problemBody(problem, requestId)
  const { status } = body
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...HEADERS_BY_STATUS[status],
      ...HEADERS_BY_NAME[problem.problem],
      ...(problem.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(problem.retryAfterSeconds) }),
      ...headers,
    },
  })
}
