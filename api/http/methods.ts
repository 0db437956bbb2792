import { Problem } from '../errors.ts'

class MethodNotAllowed extends Problem {
  readonly allowed: string

  constructor(allowed: string) {
    super('request/method-not-allowed', { detail: `This path takes ${allowed}.` })
    this.allowed = allowed
  }
}

/** For every path, the refusal of the methods that nothing of it takes. */
export function otherMethods(
  mounted: readonly { path: string; method: string }[],
): { path: string; respond: () => never }[] {
  return [...Map.groupBy(mounted, ({ path }) => path)].map(([path, ways]) => {
    const methods = ways.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    const allowed = [...new Set(methods)].join(', ')
    const respond = () => {
      throw new MethodNotAllowed(allowed)
    }
    return { path, respond }
  })
}

/** The header that says which methods a path takes (RFC 9110, 15.5.6), for an error that is about that. */
export function allowHeader(error: unknown): Record<string, string> {
  return error instanceof MethodNotAllowed ? { Allow: error.allowed } : {}
}
