import type { Hono } from 'hono'
import { Problem } from '../errors.ts'
import type { RequestState } from './serve.ts'

class MethodNotAllowed extends Problem {
  readonly allowed: string

  constructor(allowed: string) {
    super('request/method-not-allowed', { detail: `This path takes ${allowed}.` })
    this.allowed = allowed
  }
}

/**
 * Has every path refuse the methods that nothing of it takes. To be called once they are mounted: what gets past those has
 * matched the path and no method.
 */
export function refuseOtherMethods(
  api: Hono<{ Variables: RequestState }>,
  mounted: readonly { path: string; method: string }[],
): void {
  for (const [path, ways] of Map.groupBy(mounted, (each) => each.path)) {
    const methods = ways.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    const allowed = [...new Set(methods)].join(', ')
    api.all(path, () => {
      throw new MethodNotAllowed(allowed)
    })
  }
}

/** The header that says which methods a path takes (RFC 9110, 15.5.6), for an error that is about that. */
export function allowHeader(error: unknown): Record<string, string> {
  return error instanceof MethodNotAllowed ? { Allow: error.allowed } : {}
}
