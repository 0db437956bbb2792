import type { MiddlewareHandler } from 'hono'
import type { WebSettings } from '../../context.ts'

const LOOPBACK_ADDRESS = /^(127(\.\d{1,3}){3}|\[::1\])$/
const LOOPBACK_DOMAIN = 'localhost'

/**
 * Sends browsers that ask for a page of the console at a loopback address to the same page at localhost, if that is the
 * domain of passkeys: browsers refuse passkeys at addresses.
 */
export function redirectToPasskeyHost({ rpId }: WebSettings): MiddlewareHandler {
  return async (context, next) => {
    const url = new URL(context.req.url)
    if (rpId !== LOOPBACK_DOMAIN || context.req.method !== 'GET' || !LOOPBACK_ADDRESS.test(url.hostname)) return next()
    url.hostname = LOOPBACK_DOMAIN
    return context.redirect(url.href)
  }
}
