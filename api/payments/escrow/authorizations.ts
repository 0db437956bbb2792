import type { Tx } from '../../platform/db/pool.ts'
import type { PaymentIdentity } from './payerAttribution.ts'

/** Why an authorization was given up whose nonce is spent: submitting it again is useless. */
export const NONCE_USED = 'authorization_used'

/**
 * Fails one pending authorization, so that its payer may sign again. `failure` is the stable name of the cause. The
 * caller must have proved that it did not pay and cannot pay.
 */
export async function failAuthorization(tx: Tx, { payer, nonce }: PaymentIdentity, failure: string): Promise<void> {
  await pending(tx).set({ failure }).where('payer', '=', payer).where('nonce', '=', nonce).execute()
}

/** Fails every pending authorization of a payable. The caller must have proved that none of them paid or can pay. */
export async function failAuthorizations(tx: Tx, payableId: string): Promise<void> {
  await pending(tx).where('order_id', '=', payableId).execute()
}

/** Returns whether an intent to adopt a payment into this payable's hold is open. */
export async function isAdopting(tx: Tx, payableId: string): Promise<boolean> {
  const intent = await tx
    .selectFrom('market.intents')
    .select('id')
    .where('order_id', '=', payableId)
    .where('kind', '=', 'adopt')
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return intent !== undefined
}

function pending(tx: Tx) {
  return tx.updateTable('market.authorizations').set({ state: 'failed' }).where('state', '=', 'pending')
}
