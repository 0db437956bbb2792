import { CURRENT_VERSION, type MarketVersion } from '../versions/versions.ts'
import { limitHeaders } from './limits.ts'
import type { RequestContext } from './serve.ts'

const SUPERSEDED = `@${Date.parse(CURRENT_VERSION) / 1000}`

/**
 * The headers that every answer has besides its own, which win over these, and notes that the answer has them. Only for
 * a request that was counted.
 */
export function frameHeaders(context: RequestContext): Record<string, string> {
  const standing = context.get('standing')
  if (!standing) throw new Error('an answer was made to a request that nobody counted')
  context.set('isFramed', true)
  const version = context.get('version')
  return {
    ...limitHeaders(standing),
    'X-Request-Id': context.get('requestId'),
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Market-Version',
    'Cache-Control': 'no-store',
    ...(version ? { 'Market-Version': version, ...deprecation(version) } : {}),
  }
}

// Since when there is a later version, in unix seconds (RFC 9745). Until when it stays is not decided, so nothing is said.
function deprecation(version: MarketVersion): Record<string, string> {
  return version === CURRENT_VERSION ? {} : { Deprecation: SUPERSEDED }
}
