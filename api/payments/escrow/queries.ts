import { type SqlBool, sql } from 'kysely'
import { anyOf } from '../../platform/db/lists.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { type EscrowOrder, escrowOrderOf } from './escrowOrder.ts'
import type { UnmatchedPaymentRow } from './unmatchedPayments.ts'

// The only queries of escrow that read trading's tables. None writes to them.

/** Returns an order, locked until the transaction ends, or undefined. The lock does not block foreign keys to it. */
export async function lockEscrowOrder(tx: Tx, id: string): Promise<EscrowOrder | undefined> {
  const order = await tx
    .selectFrom('market.orders')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return order && escrowOrderOf(order)
}

/** Returns an order without a lock. Throws if there is none. */
export async function readEscrowOrder(db: Db, id: string): Promise<EscrowOrder> {
  return escrowOrderOf(await db.selectFrom('market.orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

/** Returns the id of the order with this nonce. x402 payers choose their own nonces, so there is none for those. */
export async function findOrderId(tx: Tx, nonce: string): Promise<string | undefined> {
  const order = await tx.selectFrom('market.orders').select('id').where('nonce', '=', nonce).executeTakeFirst()
  return order?.id
}

/** Returns whether a dispute of an order is undecided, or its verdict can still be appealed: its money stays. */
export async function isFrozen(tx: Tx, orderId: string): Promise<boolean> {
  const dispute = await tx
    .selectFrom('market.disputes')
    .select('id')
    .where('order_id', '=', orderId)
    .where('due_at', 'is not', null)
    .executeTakeFirst()
  return dispute !== undefined
}

/** Returns the keys of payments parked for an order that no longer awaits payment. */
export async function findUselesslyParked(db: Db, limit: number): Promise<string[]> {
  const parked = await db
    .selectFrom('market.unmatched_payments as payment')
    .innerJoin('market.orders as order', 'order.id', 'payment.order_id')
    .select('payment.key')
    .where('payment.status', 'in', ['waiting', 'adopting'])
    .where('order.state', '<>', 'placed')
    .limit(limit)
    .execute()
  return parked.map(({ key }) => key)
}

/** Selects the authorizations on file of cancelled orders, and of appeal fees that are awaited no more. */
export function needlessAuthorizations(db: Db) {
  return db
    .selectFrom('market.authorizations as filed')
    .leftJoin('market.orders as order', 'order.id', 'filed.order_id')
    .leftJoin('market.appeal_fees as fee', 'fee.id', 'filed.appeal_fee_id')
    .where('filed.state', '=', 'pending')
    .where(sql<SqlBool>`("order".state = 'cancelled' or fee.state <> 'offered')`)
}

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
    .where('order_id', '=', anyOf(orderIds))
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
    .where('order_id', '=', anyOf(orderIds))
    .where('status', '<>', 'matched')
    .orderBy('created_at')
    .execute()
  for (const { order_id: id, kind: paymentKind, ...payment } of arrived) {
    if (id !== null) found.set(id, { kind: 'arrived', paymentKind, ...payment })
  }
  return found
}
