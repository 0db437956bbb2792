import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { problem } from './problem.ts'

const SCHEME = /^Bearer +(\S+) *$/i

/** Refuses requests without the secret (RFC 6750). The comparison takes constant time. */
export function requireBearer(secret: string): MiddlewareHandler {
  const expected = digest(secret)
  return async (context, next) => {
    const presented = SCHEME.exec(context.req.header('authorization') ?? '')?.[1] ?? ''
    if (!timingSafeEqual(digest(presented), expected)) {
      return problem('auth/unauthenticated', 'Send the secret of X402_SECRET as Authorization: Bearer.')
    }
    await next()
    return undefined
  }
}

// Both sides have equal length, whatever is presented.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
