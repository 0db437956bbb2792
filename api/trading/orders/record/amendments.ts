import type { Tx } from '../../../platform/db/pool.ts'

/** A change of scope that both parties agreed to: the proposal's message, and the digest that was accepted. */
export interface Amendment {
  order_id: string
  message_id: string
  sha256: string
  accepted_at: Date
}

/** Returns the amendments of some orders, in the order in which they were agreed. */
export async function readAmendments(tx: Tx, orderIds: readonly string[]): Promise<Amendment[]> {
  return tx
    .selectFrom('market.acceptances')
    .select(['order_id', 'message_id', 'sha256', 'accepted_at'])
    .where('order_id', 'in', orderIds)
    .where('kind', '=', 'scope_change_proposal')
    .orderBy('accepted_at')
    .orderBy('message_id')
    .execute()
}
