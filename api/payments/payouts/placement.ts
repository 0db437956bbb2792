import type { Hex } from 'viem'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { namesPurpose, type Sale, sellerUrns } from '../../../protocol/payments/nonces.ts'
import type { Settings } from '../../context.ts'
import { newestSigned } from '../../platform/audit/head.ts'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Returns whether the audit log records the seller that a deposit was made for. The nonce of a stock x402
 * client names no seller, so the entry of the order's placement must be covered by a signed head of the audit
 * log. Throws an Error if that entry names another seller. This prevents a payout to the wrong seller by
 * mistake, and documents the seller. It does not stop an attacker with the service's login, who can insert
 * the intent directly: the facilitator's limit for such deposits bounds that loss.
 */
export async function isSellerOnRecord(tx: Tx, settings: Settings, sale: Sale, nonce: Hex): Promise<boolean> {
  if (namesPurpose(nonce)) return true
  const placement = await tx
    .selectFrom('market.orders as order')
    .innerJoin('market.audit_log as entry', 'entry.id', 'order.placement_entry')
    .innerJoin('market.audit_seals as seal', 'seal.entry_id', 'entry.id')
    .select(['entry.details', 'seal.position'])
    .where('order.id', '=', sale.orderId)
    .where('entry.action', '=', 'order.place')
    .where('entry.subject', '=', urnString('order', sale.orderId))
    .executeTakeFirst()
  const head = placement && (await newestSigned(tx, settings))
  if (!head || head.position < placement.position) return false
  const [agent, owner] = sellerUrns(sale)
  // The buyer's erasure has reduced the entry to its digest, and the seller must still be paid.
  const named = placement.details as { seller_urn: string; owner_sha256: string } | null
  if (!named || (named.seller_urn === agent && named.owner_sha256 === sha256Hex(owner ?? ''))) return true
  throw new Error(
    `order ${sale.orderId} was placed with ${named.seller_urn}, or with another owner, not with ${agent} of ${owner}`,
  )
}
