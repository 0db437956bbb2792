import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import type { PaymentIdentity } from './payerAttribution.ts'

/** The failure of an authorization whose nonce is spent: submitting it again is useless. */
export const NONCE_USED = 'authorization_used'

/**
 * Fails one pending authorization, so that its payer may sign again. `failure` is the stable name of the
 * cause. The caller must have proved that it did not pay and cannot pay.
 */
export async function failAuthorization(tx: Tx, { payer, nonce }: PaymentIdentity, failure: string): Promise<void> {
  await pending(tx).set({ state: 'failed', failure }).where('payer', '=', payer).where('nonce', '=', nonce).execute()
}

/**
 * Fails the pending authorization with this id, or that of an order or of an appeal's fee. It ran out unused,
 * so its amount is given back to the spend limit of the token that presented it. The caller must have proved
 * that it did not pay and cannot pay.
 */
export async function expireAuthorization(
  tx: Tx,
  column: 'id' | 'order_id' | 'appeal_fee_id',
  id: string,
): Promise<void> {
  await sql`
    with ended as materialized (
      select id, spending_id, spending_day, amount_micros from market.authorizations
      where ${sql.ref(column)} = ${id} and state = 'pending' for no key update),
    failed as (
      update market.authorizations filed set state = 'failed', spending_id = null, spending_day = null
      from ended where filed.id = ended.id)
    update market.token_spending spent set committed_micros = spent.committed_micros - ended.amount_micros
    from ended where spent.spending_id = ended.spending_id and spent.day = ended.spending_day`.execute(tx)
}

/** Settles a pending authorization: it has paid, even if the money went back. */
export async function settleAuthorization(tx: Tx, id: string): Promise<void> {
  await pending(tx).set({ state: 'settled' }).where('id', '=', id).execute()
}

/** Returns whether an intent to adopt a payment into this payable's hold is open. */
export async function isAdopting(tx: Tx, orderId: string): Promise<boolean> {
  const intent = await tx
    .selectFrom('market.intents')
    .select('id')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'adopt')
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return intent !== undefined
}

function pending(tx: Tx) {
  return tx.updateTable('market.authorizations').where('state', '=', 'pending')
}
