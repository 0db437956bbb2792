import { urnString } from '../../protocol/urn.ts'
import { type Problem, type ProblemName, problems } from '../errors.ts'

const HEADERS_BY_STATUS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'Bearer realm="market"' },
  503: { 'Retry-After': '1' },
}
const HEADERS_BY_NAME: Partial<Record<ProblemName, Record<string, string>>> = {
  'idempotency/in-flight': { 'Retry-After': '1' },
}

/** Where the page about a problem is, on this server. */
export function problemPage(problem: ProblemName): string {
  return `/problems/${problem}`
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

/** The headers that a problem brings along: what it is told in, where its page is (RFC 8288), and what it asks for. */
export function problemHeaders({ problem, retryAfterSeconds }: Problem): Record<string, string> {
  return {
    'Content-Type': 'application/problem+json',
    Link: `<${problemPage(problem)}>; rel="help"`,
    ...HEADERS_BY_STATUS[problems[problem].status],
    ...HEADERS_BY_NAME[problem],
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  }
}

/** The answer to a request that met a problem. */
export function problemResponse(problem: Problem, requestId: string, headers: Record<string, string> = {}): Response {
  const body = problemBody(problem, requestId)
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { ...problemHeaders(problem), ...headers },
  })
}
