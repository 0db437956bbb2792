import type { Tx } from '../db/pool.ts'
import type { PaymentIdentity } from './standing.ts'

/** Marks one authorization as dead: its payer may sign again. It must be proved that it neither paid nor can. */
export async function failAuthorization(tx: Tx, orderId: string, { payer, nonce }: PaymentIdentity): Promise<void> {
  await pending(tx, orderId).where('payer', '=', payer).where('nonce', '=', nonce).execute()
}

/** Marks every pending authorization of an order as dead. It must be proved that none of them paid or can. */
export async function failAuthorizations(tx: Tx, orderId: string): Promise<void> {
  await pending(tx, orderId).execute()
}

/** Whether a payment that went past the contract is being made this order's hold. */
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

function pending(tx: Tx, orderId: string) {
  return tx
    .updateTable('market.authorizations')
    .set({ state: 'failed' })
    .where('order_id', '=', orderId)
    .where('state', '=', 'pending')
}
