import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import { intentsOfFeePayment } from '../appealFees/find.ts'

/**
 * Returns the keys of the intents that a chain event fulfilled. Empty if the event had no intent of ours.
 * `orderId` names the order whose hold the event opened, if it opened one.
 */
export async function fulfilledIntentKeys(tx: Tx, key: string, orderId: string | undefined): Promise<string[]> {
  if (orderId !== undefined) return fundingIntents(tx, orderId)
  const kind = key.slice(0, key.indexOf(':'))
  const name = key.slice(kind.length + 1)
  switch (kind) {
    case 'released':
      return releaseIntent(tx, name)
    case 'outflow':
      return payoutIntent(tx, name)
    case 'payment': {
      const [payer = '', nonce = ''] = name.split(':')
      return intentsOfFeePayment(tx, payer, nonce)
    }
    case 'stray_returned':
      return [`return_stray:payment:${name}`]
    default:
      return []
  }
}

/** Returns the intents that paid the order: those of the authorization that its hold came from. */
async function fundingIntents(tx: Tx, orderId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct intent.key
    from market.intents intent join market.holds hold on hold.order_id = intent.order_id
    where intent.order_id = ${orderId} and intent.kind in ('fund', 'deposit', 'adopt') and intent.closing = 'settled'
      and coalesce(intent.payload->'authorization'->>'nonce', intent.payload->'payment'->>'nonce') = hold.deposit_nonce
      and lower(coalesce(intent.payload->'authorization'->>'from', intent.payload->'payment'->>'from')) = hold.payer
    `.execute(tx)
  return rows.map(({ key }) => key)
}

async function releaseIntent(tx: Tx, holdId: string): Promise<string[]> {
  const hold = await tx.selectFrom('market.holds').select('order_id').where('hold_key', '=', holdId).executeTakeFirst()
  return [hold ? `release:${hold.order_id}` : `release:funded:${holdId}`]
}

async function payoutIntent(tx: Tx, nonce: string): Promise<string[]> {
  const payout = await tx.selectFrom('market.payouts').select('id').where('nonce', '=', nonce).executeTakeFirst()
  return payout ? [`payout:${payout.id}`] : []
}
