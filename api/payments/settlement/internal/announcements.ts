import { sql } from 'kysely'
import { audit } from '../../../platform/audit/audit.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import type { StrayAnnouncedEvent } from '../../chain/evidence.ts'
import { adoptionKey } from './adoptionKey.ts'

/**
 * Records that the resolver announced an action on a stray payment, and until when its adoption runs. An
 * announcement that this service did not request goes to the audit log.
 */
export async function recordAnnouncement(tx: Tx, event: StrayAnnouncedEvent): Promise<void> {
  const key = paymentKey(event)
  if (!(await isRequested(tx, event))) {
    const { action, amount, place } = event
    const details = { action, amount: `${amount}`, tx_hash: place.txHash }
    await audit(tx, { actor: 'service', action: 'chain.unrequested_announcement', subject: key, details })
  }
  if (event.action !== 'adopt') return
  await sql`update market.unmatched_payments set adoptable_at = to_timestamp(${event.availableAt})
    where key = ${key} and status = 'adopting'`.execute(tx)
}

/** Returns whether this service has requested the announced action, on this payment and of this amount. */
export async function isRequested(db: Db | Tx, event: StrayAnnouncedEvent): Promise<boolean> {
  const { from: payer, nonce, action, amount } = event
  const key = action === 'adopt' ? adoptionKey({ payer, nonce }) : `return_stray:${paymentKey(event)}`
  const { rows } = await sql`
    select from market.intents where key = ${key} and payload->'payment'->>'amount' = ${`${amount}`} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

function paymentKey({ from, nonce }: StrayAnnouncedEvent): string {
  return `payment:${from}:${nonce}`
}
