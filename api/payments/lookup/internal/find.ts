import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../platform/db/pool.ts'

/** A payment as anybody may see it. */
interface PublicPayment {
  state: 'pending' | 'settled' | 'failed'
  transaction: string | null
  log_index: number | null
}

/**
 * Returns what became of a payment, by its payer and nonce in lower case (EIP-3009 uses each pair once). One
 * that a reorganisation removed is pending again. Throws 404 for one that this service never had.
 */
export async function findPublicPayment(db: Db, from: string, nonce: string): Promise<PublicPayment> {
  const { rows } = await sql<PublicPayment>`
    with seen as (
      select tx_hash, log_index from market.processed_chain_events
      where vanished_at is null and key in ('payment:' || ${from} || ':' || ${nonce},
        (select 'funded:' || hold_key from market.holds where payer = ${from} and deposit_nonce = ${nonce})))
    select 'settled' as state, tx_hash as transaction, log_index from seen
    union all
    select case state when 'failed' then 'failed' else 'pending' end, null, null
      from market.authorizations where payer = ${from} and nonce = ${nonce}
    limit 1`.execute(db)
  const [payment] = rows
  if (!payment) throw notFound('payment')
  return payment
}
