import { sql } from 'kysely'
import type { Hex } from 'viem'
import { orderKey } from '../../../../protocol/payments/terms.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { ChainEvent } from '../../chain/evidence.ts'

/**
 * Events in chain order, in parts that may be processed at the same time; then those that belong to no order.
 */
interface Lanes<Item> {
  ofOrders: Item[][]
  ofNone: Item[]
}

/**
 * Divides events into lanes by order: all events of an order are in one lane, in their order. An event that
 * belongs to no order, such as a withdrawal, may depend on earlier events of orders, so it comes after all
 * lanes.
 */
export async function divideIntoLanes<Item extends { event: ChainEvent }>(
  db: Db,
  items: readonly Item[],
  count: number,
): Promise<Lanes<Item>> {
  const orders = await ordersOf(
    db,
    items.map(({ event }) => event),
  )
  const ofOrders: Item[][] = Array.from({ length: count }, () => [])
  const ofNone: Item[] = []
  for (const item of items) {
    const order = orders.get(item.event)
    const lane = order === undefined ? undefined : ofOrders[Number(BigInt(order) % BigInt(count))]
    ;(lane ?? ofNone).push(item)
  }
  return { ofOrders, ofNone }
}

/** Returns the keys, in the contract's form, of the orders that events belong to. */
async function ordersOf(db: Db, events: readonly ChainEvent[]): Promise<Map<ChainEvent, Hex>> {
  const byPayment = await ordersPaidBy(db, events.filter(isOfPayment))
  const byPayout = await ordersPaidOutBy(
    db,
    events.flatMap((event) => (event.kind === 'outflow' && event.nonce ? [event.nonce] : [])),
  )
  const orderOf = (event: ChainEvent): Hex | undefined => {
    if (event.kind === 'funded') return event.terms.order
    if (event.kind === 'released' || event.kind === 'reclaimed') return event.order
    if (event.kind === 'outflow') return event.nonce ? byPayout.get(event.nonce) : undefined
    return isOfPayment(event) ? byPayment.get(`${event.from} ${event.nonce}`) : undefined
  }
  return new Map(
    events.flatMap((event) => {
      const order = orderOf(event)
      return order === undefined ? [] : [[event, order] as const]
    }),
  )
}

type OfPayment = Extract<ChainEvent, { kind: 'payment' | 'stray_announced' | 'stray_returned' }>

function isOfPayment(event: ChainEvent): event is OfPayment {
  return event.kind === 'payment' || event.kind === 'stray_announced' || event.kind === 'stray_returned'
}

/**
 * Returns the orders by payer and nonce: the order of the authorization on file, or else the order with the
 * nonce.
 */
async function ordersPaidBy(db: Db, payments: readonly OfPayment[]): Promise<Map<string, Hex>> {
  if (payments.length === 0) return new Map()
  const payers = payments.map(({ from }) => from)
  const nonces = payments.map(({ nonce }) => nonce)
  const { rows } = await sql<{ payer: string; nonce: string; order_id: string }>`
    select paid.payer, paid.nonce, coalesce(filed.order_id, named.id) as order_id
    from unnest(${payers}::text[], ${nonces}::text[]) paid(payer, nonce)
    left join market.authorizations filed on filed.payer = paid.payer and filed.nonce = paid.nonce
    left join market.orders named on named.nonce = paid.nonce
    where coalesce(filed.order_id, named.id) is not null`.execute(db)
  return new Map(rows.map(({ payer, nonce, order_id }) => [`${payer} ${nonce}`, orderKey(order_id)]))
}

/** Returns the orders by the nonces of their payouts. */
async function ordersPaidOutBy(db: Db, nonces: readonly string[]): Promise<Map<string, Hex>> {
  if (nonces.length === 0) return new Map()
  const { rows } = await sql<{ nonce: string; order_id: string }>`
    select paid.nonce, hold.order_id
    from unnest(${nonces}::text[]) paid(nonce)
    join lateral (
      select payer, nonce from market.deposits where payee_payout_nonce = paid.nonce
      union all select payer, nonce from market.deposits where payer_payout_nonce = paid.nonce) deposit on true
    join market.holds hold on hold.payer = deposit.payer and hold.deposit_nonce = deposit.nonce`.execute(db)
  return new Map(rows.map(({ nonce, order_id }) => [nonce, orderKey(order_id)]))
}
