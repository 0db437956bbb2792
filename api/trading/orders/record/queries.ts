import { type RawBuilder, sql } from 'kysely'
import type { Actor, CallContext, Settings } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { payoutAddressOf } from '../../../identity/wallets/payoutWallet.ts'
import { type FundingColumns, fundingColumns, fundingOf, joinFunding } from '../../../payments/escrow/queries.ts'
import type { OrderState } from '../../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { joinMeasure, joinSubject } from '../../criteria/read.ts'
import type { Criterion } from '../../criteria/schema.ts'
import { type BuyerRecord, buyerRecordOf } from '../../reputation/buyers.ts'
import { type AmendmentsJson, amendmentsJson, amendmentsOf } from './baseline.ts'
import { type OrderRow, type Party, sidesOf } from './find.ts'
import { mayOf } from './internal/may.ts'
import { joinLabels, labelColumns, type OrderLabels } from './labels.ts'
import { type HoldRow, toOrder } from './wire.ts'

/** Which of an agent's orders to list, and where to begin. */
export interface OrderFilter {
  role: Party | undefined
  state: OrderState | undefined
  /** The agent of the other party. */
  counterpartyId: string | undefined
  /** Only orders that changed at this time or later. */
  updatedSince: Date | undefined
  /** The id of the last order of the previous page. */
  before: string | undefined
  limit: number
}

/** Lists the orders of some agents, newest first. */
export async function listOrderRows(tx: Tx, agentIds: readonly string[], filter: OrderFilter): Promise<OrderRow[]> {
  if (filter.role) return oneSide(tx, agentIds, filter.role, filter)
  const bought = await oneSide(tx, agentIds, 'buyer', filter)
  const sold = await oneSide(tx, agentIds, 'seller', filter)
  // Between two agents of one human, an order is found on both sides.
  const found = new Map([...bought, ...sold].map((order) => [order.id, order]))
  return [...found.values()].sort((left, right) => (left.id < right.id ? 1 : -1)).slice(0, filter.limit)
}

// One query per role, and in it one an agent, so that each reads its index backwards and stops.
async function oneSide(
  tx: Tx,
  agentIds: readonly string[],
  side: Party,
  { state, counterpartyId, updatedSince, before, limit }: OrderFilter,
): Promise<OrderRow[]> {
  return tx
    .selectFrom(sql<{ id: string }>`unnest(${agentIds}::uuid[])`.as<'own'>(sql`own(id)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('market.orders')
          .selectAll()
          .whereRef(side === 'buyer' ? 'buyer_id' : 'seller_id', '=', 'own.id')
          .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'placed'))
          .$if(counterpartyId !== undefined, (query) =>
            query.where(side === 'buyer' ? 'seller_id' : 'buyer_id', '=', counterpartyId ?? ''),
          )
          .$if(updatedSince !== undefined, (query) => query.where('updated_at', '>=', updatedSince ?? new Date(0)))
          .$if(before !== undefined, (query) => query.where('market.orders.id', '<', before ?? ''))
          .orderBy('market.orders.id', 'desc')
          .limit(limit)
          .as('order'),
      (join) => join.onTrue(),
    )
    .selectAll('order')
    .orderBy('order.id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Returns an order as one of its parties reads it, or the human who owns one. Throws the uniform 404 for
 * anyone else, and if there is no order.
 */
export async function readOrderRecord(db: Db, { actor, settings }: CallContext, orderId: string) {
  const { agentId, humanId } = actor
  const readers = agentId === null ? { agentIds: [], ownerId: humanId } : { agentIds: [agentId], ownerId: null }
  const [order] = await readParts(db, sql`orders.id = ${orderId}`, readers)
  const parties = order ? partiesOf(order, actor) : []
  if (!order || parties.length === 0) throw notFound('order')
  return toRecord(settings, order, parties)
}

/** Returns orders in their wire form for some of their parties, in the order of their ids. */
export async function readRecords(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'rules'>,
  ids: readonly string[],
  agentIds: readonly string[],
) {
  if (ids.length === 0) return []
  const found = new Map(
    (await readParts(tx, sql`orders.id = any(${ids}::uuid[])`, { agentIds, ownerId: null })).map((order) => [
      order.id,
      order,
    ]),
  )
  return ids.flatMap((id) => found.get(id) ?? []).map((order) => toRecord(settings, order, agentIds))
}

/** The agents whose side a caller reads: these, and those of a human. */
interface Readers {
  agentIds: readonly string[]
  ownerId: string | null
}

/** An order, and the other parts of its record. */
type OrderParts = OrderRow &
  OrderLabels &
  FundingColumns & {
    hold_status: HoldRow['status'] | null
    hold_micros: bigint
    hold_payer: string
    hold_nonce: string
    hold_tx: string
    hold_release_tx: string | null
    hold_settled_at: Date | null
    hold_paid_to: string | null
    criteria: Criterion[] | null
    criteria_complete: boolean
    amendments: AmendmentsJson
    buyer_owner: string
    seller_owner: string
    buyer_record: BuyerRecord | null
  }

// One statement. Each joined table has at most one row per order. A single order is selected by `=`: for a
// list Postgres expects ten orders, finds no generic plan good enough, and plans the join each time.
async function readParts(db: Db, which: RawBuilder<unknown>, { agentIds, ownerId }: Readers): Promise<OrderParts[]> {
  const isSeller = sql`(orders.seller_id = any(${agentIds}::uuid[]) or seller.owner_id = ${ownerId})`
  const { rows } = await sql<OrderParts>`
    select orders.*, ${labelColumns}, ${fundingColumns}, standing.criteria, standing.criteria_complete,
      hold.status as hold_status, hold.amount_micros as hold_micros, hold.payer as hold_payer, hold.deposit_nonce as hold_nonce,
      hold.deposit_tx as hold_tx, hold.release_tx as hold_release_tx, hold.settled_at as hold_settled_at,
      case when hold.status = 'held' then coalesce(orders.payee, ${payoutAddressOf(sql.ref('orders.seller_id'))}) end as hold_paid_to,
      ${amendmentsJson} as amendments, buyer.owner_id as buyer_owner, seller.owner_id as seller_owner,
      case when ${isSeller} then ${buyerRecordOf(sql.ref('orders.buyer_id'))} end as buyer_record
    from market.orders ${joinSubject} ${joinMeasure} ${joinLabels} ${joinFunding}
      left join market.holds hold on hold.order_id = orders.id
    where ${which}`.execute(db)
  return rows
}

function toRecord({ chain, rules }: Pick<Settings, 'chain' | 'rules'>, order: OrderParts, readers: readonly string[]) {
  const { criteria, criteria_complete } = order
  return toOrder(chain, order, {
    hold: holdOf(order),
    funding: fundingOf(order),
    amendments: amendmentsOf(order.amendments),
    measure: criteria && criteria.length > 0 ? { criteria, criteria_complete } : undefined,
    labels: order,
    may: mayOf(order, sidesOf(order, readers), order, rules),
    buyerRecord: order.buyer_record ?? undefined,
  })
}

function holdOf(order: OrderParts): HoldRow | undefined {
  if (order.hold_status === null) return undefined
  return {
    status: order.hold_status,
    amount_micros: order.hold_micros,
    payer: order.hold_payer,
    deposit_nonce: order.hold_nonce,
    deposit_tx: order.hold_tx,
    release_tx: order.hold_release_tx,
    settled_at: order.hold_settled_at,
    paid_to: order.hold_paid_to,
  }
}

function partiesOf({ buyer_id, seller_id, buyer_owner, seller_owner }: OrderParts, { agentId, humanId }: Actor) {
  const parties = [
    { id: buyer_id, ownerId: buyer_owner },
    { id: seller_id, ownerId: seller_owner },
  ]
  return parties
    .filter(({ id, ownerId }) => (agentId === null ? ownerId === humanId : id === agentId))
    .map(({ id }) => id)
}
