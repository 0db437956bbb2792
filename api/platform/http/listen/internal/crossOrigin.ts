import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

/** The headers of an answer that pages of another origin may read (Fetch, section 3.2.1). */
const READABLE_HEADERS = [
  ...['Content-Disposition', 'Content-Range', 'Deprecation', 'ETag', 'Link', 'Location', 'Retry-After', 'Sunset'],
  ...['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-Request-Id'],
  ...['RateLimit', 'RateLimit-Limit', 'RateLimit-Policy', 'RateLimit-Remaining', 'RateLimit-Reset'],
  ...['Tus-Resumable', 'Upload-Expires', 'Upload-Length', 'Upload-Offset', 'Workspace-Attachment'],
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const PREFLIGHT_SECONDS = 600

/**
 * Lets pages of the configured origins call the API with the session's cookie, and no pages of other origins.
 * The service's own pages do not need this.
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
    // Set afterwards, because a refusal replaces the answer and its headers.
    await next()
    return allow(context, async () => {})
  }
}
