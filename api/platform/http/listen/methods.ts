import { Problem } from '../../../errors.ts'
import { httpProblems } from '../serve/problems.ts'

class MethodNotAllowed extends Problem {
  readonly allowed: string

  constructor(allowed: string) {
    super(httpProblems.methodNotAllowed, { detail: `This path takes ${allowed}.` })
    this.allowed = allowed
  }
}

/** Returns a handler for a path's other methods. It throws 405 naming the methods that the path accepts. */
export function otherMethods(mounted: readonly { method: string }[]): () => never {
  const methods = mounted.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
  const allowed = [...new Set(methods)].join(', ')
  return () => {
    throw new MethodNotAllowed(allowed)
  }
}

/** Returns the Allow header (RFC 9110, 15.5.6) of a 405, and no header for any other error. */
export function allowHeader(error: unknown): Record<string, string> {
  return error instanceof MethodNotAllowed ? { Allow: error.allowed } : {}
}
