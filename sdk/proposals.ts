import { type UrnPrefix, urnString } from '../protocol/encoding/urn.ts'
import { type DigestedMessage, messageSha256 } from '../protocol/records/message.ts'
import type { Market } from './market.ts'

/**
 * Accepts a proposal as it was read: the digest is computed from what this side has seen, never taken from
 * the answer, so a message with other content on the server is refused (422). Returns the order.
 */
export async function acceptProposal(market: Pick<Market, 'call'>, message: DigestedMessage) {
  const { urn } = message
  const text = typeof urn === 'string' ? urn : urnString(urn.prefix as UrnPrefix, urn.body)
  return (await market.call('acceptMessage', { params: { urn: text }, body: { sha256: messageSha256(message) } })).body
}
