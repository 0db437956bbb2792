import { createHmac } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { RequestContext } from '../serve/services.ts'

const FORWARDED_FOR = 'X-Forwarded-For'
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/** Determines where requests come from. */
export interface Addresses {
  /**
   * Returns the subject under which requests of an address are counted: a keyed hash, in the form of a UUID.
   * The address is not stored.
   */
  subjectOf: (context: RequestContext) => string
}

/**
 * Returns the address of a request: that of its connection, or behind a trusted proxy the last entry of
 * X-Forwarded-For that is not a trusted proxy, because the sender may have forged the entries before it. An
 * IPv6 /64 network counts as one address. `trustedProxies` are addresses or networks (CIDR).
 */
export function openAddresses(secretKey: string, trustedProxies: readonly string[] = []): Addresses {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) trust(trusted, proxy)
  const isTrusted = (address: string) => trusted.check(address, familyOf(address))
  return {
    subjectOf: (context) => {
      const connected = plain(getConnInfo(context).remote.address ?? '')
      const via = (context.req.header(FORWARDED_FOR) ?? '').split(',').map(plain)
      const address = isIP(connected) && isTrusted(connected) ? sender(via, connected, isTrusted) : connected
      const mac = createHmac('sha256', Buffer.from(secretKey, 'hex')).update(`address ${network(address)}`)
      return mac.digest('hex').slice(0, 32).replace(UUID_PARTS, '$1-$2-$3-$4-$5')
    },
  }
}

/** Returns whether a text is an address or a network that can be trusted. */
export function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

function trust(list: BlockList, proxy: string): void {
  const [address = '', bits] = proxy.split('/')
  if (bits === undefined) list.addAddress(address, familyOf(address))
  else list.addSubnet(address, Number(bits), familyOf(address))
}

function sender(via: readonly string[], connected: string, isTrusted: (address: string) => boolean): string {
  let nearest = connected
  for (const address of via.toReversed()) {
    if (!isIP(address)) return nearest
    if (!isTrusted(address)) return address
    nearest = address
  }
  return nearest
}

/** Removes the IPv6 prefix of a mapped IPv4 address, and the name of an interface. */
function plain(address: string): string {
  return address
    .trim()
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** An IPv4 address, or the first 64 bits of an IPv6 one. */
function network(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const [first, last] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const groups = [...(first ?? []), ...Array<string>(8).fill('0')].slice(
    0,
    tail === undefined ? 8 : 8 - (last?.length ?? 0),
  )
  return [...groups, ...(last ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
