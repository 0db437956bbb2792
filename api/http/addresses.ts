import { createHmac } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { RequestContext } from './serve.ts'

const FORWARDED_FOR = 'X-Forwarded-For'
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/** Tells where requests come from. */
export interface Addresses {
  /** An address as the count of its requests knows it: a keyed hash, in the form of a UUID. The address is not kept. */
  subjectOf: (context: RequestContext) => string
}

/**
 * The address of a request is that of its connection; behind a proxy that is trusted, the last one of X-Forwarded-For
 * that is none of those proxies: what stands before it, the sender may have made up. An IPv6 network of a customer (/64)
 * counts as one address. Trusted: addresses or networks (CIDR).
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

/** Whether a text names an address or a network to trust. */
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

/** Without what an IPv4 address carries on an IPv6 socket, and without the name of an interface. */
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
