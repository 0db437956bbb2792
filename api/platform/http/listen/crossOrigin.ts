import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

/** What pages of another origin may read of an answer, beside its body (Fetch, section 3.2.1). */
const READABLE_HEADERS = [
  ...['Content-Disposition', 'Content-Range', 'Deprecation', 'ETag', 'Link', 'Location', 'Retry-After', 'Sunset'],
  ...['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-Request-Id'],
  ...['RateLimit', 'RateLimit-Limit', 'RateLimit-Policy', 'RateLimit-Remaining', 'RateLimit-Reset'],
  ...['Tus-Resumable', 'Upload-Expires', 'Upload-Length', 'Upload-Offset', 'Workspace-Attachment'],
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const PREFLIGHT_SECONDS = 600

/**
 * Lets pages of the configured origins call the API, with the session's cookie, and pages of no other origin. The
 * service's own pages need none of it.
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  const allow = cors({
    origin: (origin) => (origins.includes(origin) ? origin : undefined),
    credentials: true,
    allowMethods: METHODS,
    exposeHeaders: READABLE_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  })
  return async (context, next) => {
    const origin = context.req.header('Origin')
    if (origin === undefined || !origins.includes(origin)) return next()
    if (context.req.method === 'OPTIONS' && context.req.header('Access-Control-Request-Method')) {
      return allow(context, next)
    }
    // Afterwards, since a refusal takes the place of the answer and of its headers.
    await next()
    return allow(context, async () => {})
  }
}
