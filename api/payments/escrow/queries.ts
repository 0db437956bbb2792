import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Orders } from '../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { StrayPaymentRow } from './strayPayments.ts'

// The only queries of escrow that read trading's tables. None writes to them.

/** An order as stored. */
export type OrderRow = Selectable<Orders>

/**
 * Returns an order, locked until the transaction ends, or undefined. The lock does not block foreign keys to
 * it.
 */
export async function lockOrderRow(tx: Tx, id: string): Promise<OrderRow | undefined> {
  return tx.selectFrom('market.orders').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Returns an order without a lock. Throws if there is none. */
export async function readOrderRow(db: Db, id: string): Promise<OrderRow> {
  return db.selectFrom('market.orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/**
 * Returns the id of the order with this nonce. x402 payers choose their own nonces, so there is none for
 * those.
 */
export async function findOrderId(tx: Tx, nonce: string): Promise<string | undefined> {
  const order = await tx.selectFrom('market.orders').select('id').where('nonce', '=', nonce).executeTakeFirst()
  return order?.id
}

/**
 * Returns whether a dispute of an order is undecided, or its verdict can still be appealed: its money stays.
 */
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

/** Selects the authorizations on file of cancelled orders, and of appeal fees that are no longer awaited. */
export function needlessAuthorizations(db: Db) {
  return db
    .selectFrom('market.authorizations as filed')
    .leftJoin('market.orders as order', 'order.id', 'filed.order_id')
    .leftJoin('market.appeal_fees as fee', 'fee.id', 'filed.appeal_fee_id')
    .where('filed.state', '=', 'pending')
    .where(sql<SqlBool>`("order".state = 'cancelled' or fee.state <> 'offered')`)
}

/** The state of the latest payment of an order that is not a hold. */
export type FundingRow =
  | { kind: 'authorization'; state: 'pending' | 'failed'; failure: string | null; txHash: string | null }
  | ({ kind: 'arrived' } & Pick<StrayPaymentRow, 'status' | 'amount_micros' | 'tx_hash' | 'adoptable_at'> & {
        paymentKind: StrayPaymentRow['kind']
      })

/**
 * Returns SQL for the latest transaction (`hash`) that the facilitator says it sent for the intents under a
 * key. It is its word: the chain decides whether the payment was made.
 */
export function sentFor(key: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select sent.hash from market.intents asked join facilitator.transactions sent on sent.intent_id = asked.id
    where asked.key = ${key} order by sent.created_at desc limit 1`
}

/** Joins the columns that `fundingOf` takes to the `orders` of a statement. */
export const joinFunding = sql`
  left join lateral (
    select state, failure, attempt from market.authorizations
    where order_id = orders.id and (state <> 'failed' or failure is not null) order by attempt desc limit 1) filed on true
  left join lateral (${sentFor(sql`case orders.escrow_mode when 'contract' then 'fund:' else 'deposit:' end || orders.id || ':' || filed.attempt`)}
    ) sent on filed.state <> 'settled'
  left join lateral (
    select kind, status, amount_micros, tx_hash, adoptable_at from market.unmatched_payments
    where order_id = orders.id and status <> 'matched' order by created_at desc limit 1) arrived on true`

/** The columns of `joinFunding`. */
export const fundingColumns = sql`
  filed.state as filed_state, filed.failure as filed_failure, sent.hash as filed_tx, arrived.kind as arrived_kind, arrived.status as arrived_status,
  arrived.amount_micros as arrived_micros, arrived.tx_hash as arrived_tx, arrived.adoptable_at`

/** The types of `fundingColumns`. */
export interface FundingColumns {
  filed_state: 'pending' | 'settled' | 'failed' | null
  filed_failure: string | null
  filed_tx: string | null
  arrived_kind: StrayPaymentRow['kind'] | null
  arrived_status: StrayPaymentRow['status']
  arrived_micros: StrayPaymentRow['amount_micros']
  arrived_tx: StrayPaymentRow['tx_hash']
  adoptable_at: StrayPaymentRow['adoptable_at']
}

/**
 * Returns the state of an order's payment: money that arrived without becoming a hold, or else the latest
 * authorization, if it did not become a hold.
 */
export function fundingOf(columns: FundingColumns): FundingRow | undefined {
  const { filed_state: state, filed_failure: failure, filed_tx: txHash, arrived_kind: paymentKind } = columns
  if (paymentKind !== null) {
    const { arrived_status: status, arrived_micros: amount_micros, arrived_tx: tx_hash, adoptable_at } = columns
    return { kind: 'arrived', paymentKind, status, amount_micros, tx_hash, adoptable_at }
  }
  return state === null || state === 'settled' ? undefined : { kind: 'authorization', state, failure, txHash }
}
