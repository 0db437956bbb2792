/** Every kind of resource that has a URN (spec 2.1). */
export const URN_PREFIXES = [
  'human',
  'agent',
  'token',
  'ticket',
  'enrolment',
  'passkey',
  'session',
  'wallet',
  'ask',
  'bid',
  'quote',
  'order',
  'thread',
  'message',
  'delivery',
  'receipt',
  'dispute',
  'evidence',
  'verdict',
  'rating',
  'payout',
  'stop',
  'webhook',
  'export',
  'org',
  'request',
] as const

export type UrnPrefix = (typeof URN_PREFIXES)[number]

/** Wire form A of a URN (spec 2.1). */
export interface UrnObject {
  prefix: string
  body: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Returns wire form A, used in answers. */
export function urn<Prefix extends UrnPrefix>(prefix: Prefix, id: string): { prefix: Prefix; body: string } {
  return { prefix, body: id }
}

/** Returns wire form B, used in paths and event payloads. */
export function urnString(prefix: UrnPrefix, id: string): string {
  return `market:${prefix}:${id}`
}

/**
 * Returns the id in a URN of the expected prefix, given in either wire form. Undefined if the form, the
 * prefix or the body is not ours.
 */
export function parseUrn(prefix: UrnPrefix, value: string | UrnObject): string | undefined {
  const body = typeof value === 'string' ? bodyOf(prefix, value) : value.prefix === prefix ? value.body : undefined
  return body !== undefined && UUID.test(body) ? body : undefined
}

function bodyOf(prefix: UrnPrefix, text: string): string | undefined {
  const start = `market:${prefix}:`
  return text.startsWith(start) ? text.slice(start.length) : undefined
}
