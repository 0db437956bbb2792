import type { Tx } from '../../platform/db/pool.ts'
import type { UnmatchedPaymentRow } from './unmatchedPayments.ts'

/** Where the latest payment of an order stands while no hold has it. */
export type FundingRow =
  | { kind: 'authorization'; state: 'pending' | 'failed'; failure: string | null }
  | ({ kind: 'arrived' } & Pick<UnmatchedPaymentRow, 'status' | 'amount_micros' | 'tx_hash' | 'adoptable_at'> & {
        paymentKind: UnmatchedPaymentRow['kind']
      })

/**
 * Returns where the payments of these orders stand: money that arrived and is no hold, or else the latest
 * authorization that did not become one.
 */
export async function readFunding(tx: Tx, orderIds: readonly string[]): Promise<Map<string, FundingRow>> {
  const found = new Map<string, FundingRow>()
  if (orderIds.length === 0) return found
  const authorizations = await tx
    .selectFrom('market.authorizations')
    .select(['order_id', 'state', 'failure'])
    .where('order_id', 'in', orderIds)
    .orderBy('attempt')
    .execute()
  for (const { order_id: id, state, failure } of authorizations) {
    if (id === null) continue
    if (state === 'settled') found.delete(id)
    else if (state === 'pending' || failure !== null) found.set(id, { kind: 'authorization', state, failure })
  }
  const arrived = await tx
    .selectFrom('market.unmatched_payments')
    .select(['order_id', 'kind', 'status', 'amount_micros', 'tx_hash', 'adoptable_at'])
    .where('order_id', 'in', orderIds)
    .where('status', '<>', 'matched')
    .orderBy('created_at')
    .execute()
  for (const { order_id: id, kind: paymentKind, ...payment } of arrived) {
    if (id !== null) found.set(id, { kind: 'arrived', paymentKind, ...payment })
  }
  return found
}
