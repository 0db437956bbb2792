/**
 * Returns the headers of an answer that is streamed, or whose bytes have a hash and ranges, with the
 * directive that keeps proxies from compressing it (RFC 9111, 5.2.2.6). A compressed stream arrives late.
 */
export function untransformed(headers: Record<string, string>): Record<string, string> {
  return { ...headers, 'Cache-Control': `${headers['Cache-Control'] ?? 'no-store'}, no-transform` }
}
