import ipaddr from 'ipaddr.js'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { httpProblems } from '../http/serve/problems.ts'

const PUBLIC_PORTS = ['', '8443']
// IPv4-compatible addresses (::127.0.0.1). ipaddr.js counts them as ordinary ones.
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96')
const LOCALHOST = /(^|\.)localhost\.?$/i

type Targets = Pick<Settings, 'webhooks'>

/**
 * Checks the URL of a webhook: https, without user name or password, on port 443 or 8443, and not at a
 * reserved address. With local targets, loopback is allowed too, on any port and by http. A
 * name is checked again at each connection. Throws request/invalid for the field that has the URL.
 */
export function requireTarget(settings: Targets, text: string, field = 'url'): void {
  const refused = (message: string) => new Problem(httpProblems.invalid, { detail: `${field}: ${message}.`, field })
  const { allowsLocal } = settings.webhooks
  const url = URL.parse(text)
  // A URL may not contain characters that parsers silently drop or encode.
  if (!url || /[\s\p{Cc}]/u.test(text)) throw refused('must be a URL')
  const isLocal = allowsLocal && isLoopback(hostOf(url))
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) {
    throw refused(allowsLocal ? 'must begin with https://, except on loopback' : 'must begin with https://')
  }
  if (url.username !== '' || url.password !== '') throw refused('must have no user name and no password')
  if (!isLocal && !PUBLIC_PORTS.includes(url.port)) throw refused('must be on port 443 or 8443')
  if (!isAllowedHost(settings, hostOf(url))) throw refused('must be a public address')
}

function isLoopback(host: string): boolean {
  return ipaddr.isValid(host) ? ipaddr.parse(host).range() === 'loopback' : LOCALHOST.test(host)
}

/** Returns the host of a URL: a name, or an address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/**
 * Returns false for an address that webhooks may not be sent to, and for a name of this machine; otherwise
 * true.
 */
export function isAllowedHost(settings: Targets, host: string): boolean {
  if (ipaddr.isValid(host)) return isAllowedAddress(settings, host)
  return settings.webhooks.allowsLocal || !LOCALHOST.test(host)
}

/**
 * Returns whether webhooks may be sent to an IP address: a public one, or with local targets a loopback one.
 */
export function isAllowedAddress({ webhooks }: Targets, text: string): boolean {
  const address = ipaddr.parse(text)
  const range = address.range()
  if (range === 'loopback') return webhooks.allowsLocal
  if (address.kind() === 'ipv6' && address.match(IPV4_COMPATIBLE)) return false
  return range === 'unicast'
}
