import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import type { Closing } from '../chain/intents.ts'

/** Returns the key of the intent that submits an authorization of a fee. Attempts count from 1. */
export function feeIntentKey(feeId: string, attempt: number): string {
  return `deposit:${feeId}:${attempt}`
}

/** Closes the open intents that were to pay a fee. */
export async function closeFeeIntents(tx: Tx, feeId: string, closing: Closing): Promise<void> {
  await sql`update market.intents set closed_at = market.now(), closing = ${closing}
    where closed_at is null and key in (
      select 'deposit:' || appeal_fee_id || ':' || attempt from market.authorizations
      where appeal_fee_id = ${feeId})`.execute(tx)
}

/** Returns the keys of the intents that made a payment of a fee: none if the payment is no fee's. */
export async function intentsOfFeePayment(tx: Tx, payer: string, nonce: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct intent.key from market.authorizations filed
    join market.intents intent on intent.key = 'deposit:' || filed.appeal_fee_id || ':' || filed.attempt
    where filed.payer = ${payer} and filed.nonce = ${nonce} and filed.appeal_fee_id is not null
      and intent.closing = 'settled'`.execute(tx)
  return rows.map(({ key }) => key)
}
