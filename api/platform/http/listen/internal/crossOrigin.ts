import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

/** The headers of an answer that pages of another origin may read (Fetch, section 3.2.1). */
const READABLE_HEADERS = [
  ...['Content-Disposition', 'Content-Range', 'Deprecation', 'ETag', 'Idempotent-Replayed', 'Link', 'Location'],
  ...['Retry-After', 'Sunset', 'WWW-Authenticate'],
  ...['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-Request-Id'],
  ...['RateLimit', 'RateLimit-Limit', 'RateLimit-Policy', 'RateLimit-Remaining', 'RateLimit-Reset'],
  ...['Tus-Resumable', 'Upload-Expires', 'Upload-Length', 'Upload-Offset', 'Workspace-Attachment'],
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const PREFLIGHT_SECONDS = 600

/**
 * Lets pages of the configured origins call the API with the session's cookie, and pages of every other
 * origin with a token that they have (Fetch, section 3.2). The latter cannot call the paths `closed`, not
 * even with a token.
 */
export function allowOrigins(origins: readonly string[], closed: readonly string[]): MiddlewareHandler {
  const common = { allowMethods: METHODS, exposeHeaders: READABLE_HEADERS, maxAge: PREFLIGHT_SECONDS }
  const own = cors({ ...common, origin: (origin) => origin, credentials: true })
  const foreign = cors({ ...common, origin: '*' })
  const isClosed = matcherOf(closed)
  return async (context, next) => {
    const origin = context.req.header('Origin')
    const isOwn = origin !== undefined && origins.includes(origin)
    const allow = isOwn ? own : isClosed(context.req.path) ? undefined : foreign
    if (allow && context.req.method === 'OPTIONS' && context.req.header('Access-Control-Request-Method')) {
      return allow(context, next)
    }
    // Set afterwards, because a refusal replaces the answer and its headers.
    await next()
    context.header('Vary', 'Origin', { append: true })
    return allow?.(context, async () => {})
  }
}

/** Returns a function that tells whether a path matches one of these OpenAPI paths (`/v1/orders/{urn}`). */
function matcherOf(paths: readonly string[]): (path: string) => boolean {
  const patterns = paths.map((path) => path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+'))
  const pattern = new RegExp(`^(${patterns.join('|')})/?$`)
  return (path) => pattern.test(path)
}
