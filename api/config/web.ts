import type { WebSettings } from '../context.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Where browsers reach a service of this address, as far as it is not said: passkeys are for its own domain, and its own
 * pages alone may use them. A loopback address is no domain, so there it is localhost, on the same port.
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
  }
}

/** Whether browsers let a page of this origin use passkeys of a domain: encrypted or on loopback, and of that domain. */
export function mayUsePasskeysOf(rpId: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { origin: canonical, protocol, hostname } = new URL(origin)
  const isTrusted = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
  return canonical === origin && isTrusted && (hostname === rpId || hostname.endsWith(`.${rpId}`))
}
