import type { Tx } from '../db/pool.ts'

/** A change of scope that both sides agreed to: the proposal's message, and the digest that was accepted. */
export interface Amendment {
  order_id: string
  message_id: string
  sha256: string
  accepted_at: Date
}

/** What was agreed of some orders besides their asks, in the order it was agreed in. */
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
