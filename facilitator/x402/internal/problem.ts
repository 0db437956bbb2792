const PROBLEMS = {
  'auth/unauthenticated': { status: 401, title: 'A valid bearer secret is required' },
  'request/invalid': { status: 400, title: 'A value in the request is invalid' },
  'request/not-found': { status: 404, title: 'There is no such path' },
  'request/too-large': { status: 413, title: 'The request body is too large' },
  'service/unavailable': { status: 503, title: 'The service cannot answer right now' },
} as const

const HEADERS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'Bearer realm="facilitator"' },
  503: { 'Retry-After': '1' },
}

/** Returns a problem response (RFC 9457), in the form of the public API. */
export function problem(name: keyof typeof PROBLEMS, detail: string): Response {
  const { status, title } = PROBLEMS[name]
  return new Response(JSON.stringify({ type: `market:error:${name}`, title, status, detail }), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...HEADERS[status] },
  })
}
