/** The subprotocol of our messages: selected where the client offers it. */
const OURS = 'market.v1'
const BEARER = /^market-bearer\.(.+)$/

/**
 * Returns the bearer token that a WebSocket handshake offers as a subprotocol (spec 5.5): browsers can send no other
 * header. Undefined if there is none, or more than one.
 */
export function bearerSubprotocol(header: string | undefined): string | undefined {
  const [bearer, ...more] = offered(header).flatMap((name) => BEARER.exec(name)?.[1] ?? [])
  return more.length === 0 ? bearer : undefined
}

/**
 * Returns the subprotocol to select: market.v1 if it was offered, otherwise the bearer's own, because clients refuse an
 * answer that selects none of those they offered.
 */
export function selectSubprotocol(header: string | undefined): string | undefined {
  const names = offered(header)
  return names.includes(OURS) ? OURS : names.find((name) => BEARER.test(name))
}

function offered(header: string | undefined): string[] {
  return (header ?? '').split(',').map((name) => name.trim())
}
