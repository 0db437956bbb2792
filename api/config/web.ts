import type { WebSettings } from '../context.ts'

const DEFAULT_HTTP_PORT = 80
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Derives the passkey domain and origins from the service's address, unless they are configured: the
 * address's own domain, and its own pages only. Passkeys need a domain name, so a loopback address becomes
 * localhost on the same port.
 */
export function webSettings(
  baseUrl: string,
  given: { rpId?: string | undefined; origins?: readonly string[] | undefined } = {},
): WebSettings {
  const url = new URL(baseUrl)
  const isLoopback = LOOPBACK.test(url.hostname)
  if (isLoopback) url.hostname = 'localhost'
  return {
    rpId: given.rpId ?? url.hostname,
    origins: given.origins ?? [url.origin],
    isSecure: !isLoopback,
    // Browsers accept a __Host- cookie only from this exact host over an encrypted connection, so no other
    // page of the domain can set one. Cookies know no port (RFC 6265, 8.5): each service on loopback has a
    // name of its own.
    sessionCookie: isLoopback ? `market_session_${url.port || DEFAULT_HTTP_PORT}` : '__Host-market_session',
  }
}

/**
 * Returns the address where a sandbox serves files of users: 127.0.0.1 instead of localhost, else the same
 * address.
 */
export function filesUrl(baseUrl: string): string {
  const url = new URL(baseUrl)
  if (url.hostname !== 'localhost') return baseUrl
  url.hostname = '127.0.0.1'
  return url.href.replace(/\/$/, '')
}

/** Returns whether two addresses have different hosts: browsers send cookies to every port of a host. */
export function isOtherSite(address: string, baseUrl: string): boolean {
  return new URL(address).hostname !== new URL(baseUrl).hostname
}

/**
 * Returns whether browsers let a page of this origin use passkeys of a domain: the origin must be encrypted
 * or on loopback, and belong to that domain.
 */
export function mayUsePasskeysOf(rpId: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { origin: canonical, protocol, hostname } = new URL(origin)
  const isTrusted = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
  return canonical === origin && isTrusted && (hostname === rpId || hostname.endsWith(`.${rpId}`))
}
