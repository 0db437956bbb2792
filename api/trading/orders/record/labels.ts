import { sql } from 'kysely'
import type { DisputeState } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { joinSubject } from '../../criteria/read.ts'
import type { OrderRow } from './find.ts'
import { RECLAIMABLE } from './states.ts'

/** The title of an order and the names of its parties, and the further inputs of its rules. */
export interface OrderLabels {
  title: string
  buyerName: string
  sellerName: string
  /** When its dispute next changes automatically; null without a dispute, and once it is finally decided. */
  disputeDueAt: Date | null
  disputeState: DisputeState | null
  /** Whether a payment of the placed order is on file that has not failed, or is being adopted. */
  isPaid: boolean
  /**
   * Whether the placed order was paid past the contract, which is to make the payment its hold; and from when
   * it can.
   */
  isAdopting: boolean
  adoptableAt: Date | null
  /** Whether the final order was rated. */
  isRated: boolean
  /** The database's time when this was read. */
  now: Date
}

/** Joins the tables that `labelColumns` read to `orders` and their subject in a statement. */
export const joinLabels = sql`
  join market.agents buyer on buyer.id = orders.buyer_id
  join market.agents seller on seller.id = orders.seller_id
  left join market.disputes dispute on dispute.id = orders.dispute_id`

/** The columns of OrderLabels. The title is that of what was ordered, in the version ordered. */
export const labelColumns = sql`
  coalesce(sold.title, asked.title) as title, buyer.display_name as "buyerName", seller.display_name as "sellerName",
  dispute.due_at as "disputeDueAt", dispute.state as "disputeState", market.now() as now,
  orders.state = 'placed' and (
    exists (select from market.authorizations where order_id = orders.id and state <> 'failed') or
    exists (select from market.intents where order_id = orders.id and kind = 'adopt' and closed_at is null)
  ) as "isPaid",
  orders.state = 'placed' and (
    exists (select from market.unmatched_payments where order_id = orders.id and status = 'adopting') or
    exists (select from market.intents where order_id = orders.id and kind = 'adopt' and closed_at is null)
  ) as "isAdopting",
  (select max(adoptable_at) from market.unmatched_payments where order_id = orders.id and status = 'adopting') as "adoptableAt",
  orders.state = 'final' and exists (select from market.ratings where order_id = orders.id) as "isRated"`

/** Returns the labels of an order. */
export async function readLabels(tx: Tx, orderId: string): Promise<OrderLabels | undefined> {
  const { rows } = await sql<OrderLabels>`
    select ${labelColumns} from market.orders ${joinSubject} ${joinLabels} where orders.id = ${orderId}`.execute(tx)
  return rows[0]
}

/**
 * Returns what an order waits for, and until when; null if there is nothing. `adopt`: the contract makes its
 * payment the hold after this time. `expire`: since then its payer can take the money back from the contract.
 */
export function nextDeadline(order: OrderRow, labels: OrderLabels) {
  const by = <What extends string>(what: What, at: Date | null) => at && { what, at: at.toISOString() }
  if (order.state === 'placed')
    return labels.isAdopting ? by('adopt', labels.adoptableAt) : by('pay', order.valid_before)
  if (order.hold_expired_at !== null && RECLAIMABLE.some((state) => state === order.state)) {
    return by('expire', order.expires_at)
  }
  if (order.state === 'funded' || order.state === 'in_flight') return by('deliver', order.sla_due_at)
  if (order.state === 'delivered') return by('decide', order.accept_by)
  if (order.state === 'rejected') return by('redeliver', order.redeliver_by)
  return order.state === 'disputed' ? by('dispute', labels.disputeDueAt) : null
}
