import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'

/**
 * The keys of the intents that a fact fulfilled, without the attempt. Empty for what others did without us. `orderId` is
 * the order whose hold the fact began, if it began one.
 */
export async function wishesFor(tx: Tx, key: string, orderId: string | undefined): Promise<string[]> {
  if (orderId !== undefined) return fundingWishes(tx, orderId)
  const kind = key.slice(0, key.indexOf(':'))
  const name = key.slice(kind.length + 1)
  switch (kind) {
    case 'released':
      return releaseWish(tx, name)
    case 'outflow':
      return payoutWish(tx, name)
    case 'stray_returned':
      return [`return_stray:payment:${name}`]
    default:
      return []
  }
}

/** Whatever paid the order at our wish: of its authorizations the one that its hold came from. */
async function fundingWishes(tx: Tx, orderId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(intent.key, '#', 1) as key
    from market.intents intent join market.holds hold on hold.order_id = intent.order_id
    where intent.order_id = ${orderId} and intent.kind in ('fund', 'deposit', 'adopt') and intent.closing = 'settled'
      and coalesce(intent.payload->'authorization'->>'nonce', intent.payload->'payment'->>'nonce') = hold.deposit_nonce
      and lower(coalesce(intent.payload->'authorization'->>'from', intent.payload->'payment'->>'from')) = hold.payer
    `.execute(tx)
  return rows.map(({ key }) => key)
}

async function releaseWish(tx: Tx, holdId: string): Promise<string[]> {
  const hold = await tx.selectFrom('market.holds').select('order_id').where('hold_key', '=', holdId).executeTakeFirst()
  return [hold ? `release:${hold.order_id}` : `release:funded:${holdId}`]
}

async function payoutWish(tx: Tx, nonce: string): Promise<string[]> {
  const payout = await tx.selectFrom('market.payouts').select('id').where('nonce', '=', nonce).executeTakeFirst()
  return payout ? [`payout:${payout.id}`] : []
}
