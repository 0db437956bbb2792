import type { Hex } from 'viem'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { namesPurpose, type Sale, sellerUrns } from '../../../protocol/payments/nonces.ts'
import type { Settings } from '../../context.ts'
import { newestSigned } from '../../platform/audit/head.ts'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Returns whether it is on record for whom a deposit was made. The nonce of a stock x402 client names no seller, so that the entry of
 * the order's placement must stand under a head of the audit log that we signed. Throws an Error if that entry names another one.
 * The record keeps an order from being paid otherwise by mistake, and shows later what it was. It stops nobody who has the login of the
 * service, and can insert the intent itself: what bounds them is the facilitator's limit for such deposits.
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
  // The buyer's erasure has left nothing of the entry but its digest, and the seller is still owed.
  const named = placement.details as { seller_urn: string; owner_sha256: string } | null
  if (!named || (named.seller_urn === agent && named.owner_sha256 === sha256Hex(owner ?? ''))) return true
  throw new Error(
    `order ${sale.orderId} was placed with ${named.seller_urn}, or with another owner, not with ${agent} of ${owner}`,
  )
}
