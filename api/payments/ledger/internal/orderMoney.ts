import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { readingAgents } from '../../../identity/accounts/owner.ts'
import type { Database, Orders } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** One side of an order. */
export type Side = 'seller' | 'buyer'

/** Whose orders, and which of them. With a bound of the period, only orders that ended. */
export interface MoneyFilter {
  agentIds: readonly string[]
  side: Side | undefined
  from: Date | undefined
  to: Date | undefined
}

/** One side of a paid order, with all that says where its part of the money is. */
export interface OrderMoneyRow {
  /** Its position in the list. */
  id: string
  order_id: string
  side: Side
  title: string
  state: Orders['state']
  agent_id: string
  counterparty_id: string
  counterparty_name: string
  escrow_mode: Orders['escrow_mode']
  paid_at: Date
  ended_at: Date | null
  suspended_at: Date | null
  amount_micros: bigint
  net_micros: bigint | null
  fee_micros: bigint | null
  refund_micros: bigint | null
  payment_tx: string
  /** The wallet that the contract credits: of the seller as agreed, or of the payer. */
  credited: string | null
  is_releasing: boolean
  /** The confirmed end of the hold in the contract, and the withdrawal that took its credit. */
  release_tx: string | null
  withdrawal_tx: string | null
  payout_id: string | null
  payout_state: Selectable<Database['market.payouts']>['state'] | null
  parked_at: Date | null
  payout_to: string | null
  payout_tx: string | null
}

/** Returns the filter of a caller's query. Throws 404 for an agent of somebody else. */
export async function moneyFilter(
  tx: Tx,
  actor: Actor,
  query: { side?: Side | undefined; from?: Date | undefined; to?: Date | undefined; agent_urn?: string | undefined },
): Promise<MoneyFilter> {
  const { side, from, to, agent_urn: agentId } = query
  return { agentIds: await readingAgents(tx, actor, agentId), side, from, to }
}

/**
 * Lists the sides of paid orders that belong to some agents, after a position: those of open orders first,
 * then the one that ended last.
 */
export async function listOrderMoneyRows(
  tx: Tx,
  asset: string,
  filter: MoneyFilter,
  page: { from: string | undefined; limit: number },
): Promise<OrderMoneyRow[]> {
  const after = page.from === undefined ? undefined : readPlace(page.from)
  const sides = (['seller', 'buyer'] as const).filter((side) => filter.side === undefined || filter.side === side)
  const found = sides.map((side) => sql`(${oneSide(side, filter, after, page.limit)})`)
  const own = sql`select * from (${sql.join(found, sql` union all `)}) either order by ended desc, id desc, side desc limit ${page.limit}`
  return readMoney(tx, asset, own)
}

/**
 * Returns the money of one order, an item for each side of the caller; none before it is paid. Throws the
 * uniform 404 if no side is the caller's.
 */
export async function findOrderMoney(tx: Tx, asset: string, actor: Actor, orderId: string): Promise<OrderMoneyRow[]> {
  const own = await readingAgents(tx, actor)
  const order = await tx
    .selectFrom('market.orders')
    .select(['buyer_id', 'seller_id'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  const sides = (['seller', 'buyer'] as const).filter((side) => order && own.includes(order[`${side}_id`]))
  if (sides.length === 0) throw notFound('order')
  const found = sides.map(
    (side) => sql`select id, ${ENDED} as ended, ${side}::text as side from market.orders where id = ${orderId}`,
  )
  return readMoney(tx, asset, sql.join(found, sql` union all `))
}

/** When an order ended; an open one never did. The indexes of orders by it have the same expression. */
const ENDED = sql`coalesce(closed_at, 'infinity'::timestamptz)`

// One query a side, and in it one an agent, so that each reads its index in order and stops.
function oneSide(side: Side, { agentIds, from, to }: MoneyFilter, after: Place | undefined, limit: number) {
  const ofAgent = side === 'seller' ? sql`seller_id` : sql`buyer_id`
  // Of an order between two agents of one owner the seller's side comes first.
  const isBehind = side === 'buyer' && after?.side === 'seller' ? sql`<=` : sql`<`
  // An order that did not end is in no period.
  const until = to ?? (from === undefined ? undefined : sql<Date>`'infinity'::timestamptz`)
  return sql`
    select taken.id, taken.ended, ${side}::text as side
    from unnest(${agentIds}::uuid[]) own (id) cross join lateral (
      select orders.id, ${ENDED} as ended from market.orders
      where ${ofAgent} = own.id and funded_at is not null
        and ${from === undefined ? sql`true` : sql`${ENDED} >= ${from}`}
        and ${until === undefined ? sql`true` : sql`${ENDED} < ${until}`}
        and ${after === undefined ? sql`true` : sql`(${ENDED}, orders.id) ${isBehind} (${after.ended}, ${after.orderId}::uuid)`}
      order by ${ENDED} desc, orders.id desc limit ${limit}) taken
    order by taken.ended desc, taken.id desc limit ${limit}`
}

/** Reads the money of the sides that `own` selects (id, ended, side), in the order of their list. */
async function readMoney(tx: Tx, asset: string, own: RawBuilder<unknown>): Promise<OrderMoneyRow[]> {
  const { rows } = await sql<OrderMoneyRow>`
    with own as (${own})
    select concat_ws(' ', case when isfinite(own.ended)
        then (extract(epoch from own.ended) * 1000000)::bigint::text else 'open' end, own.id, own.side) as id,
      own.id as order_id, own.side, coalesce(version.title, bid.title) as title, orders.state,
      agent.id as agent_id, other.id as counterparty_id, other.display_name as counterparty_name, orders.escrow_mode,
      orders.funded_at as paid_at, orders.closed_at as ended_at, orders.suspended_at, hold.amount_micros,
      hold.released_payee_micros as net_micros, hold.released_fee_micros as fee_micros,
      hold.released_payer_micros as refund_micros, hold.deposit_tx as payment_tx, credited.address as credited,
      exists (select from market.intents where order_id = orders.id and kind = 'release' and closed_at is null) as is_releasing,
      release.tx_hash as release_tx, withdrawal.tx_hash as withdrawal_tx, payout.id as payout_id,
      payout.state as payout_state, payout.parked_at, payout.to_address as payout_to, outflow.tx_hash as payout_tx
    from own
    join market.orders on orders.id = own.id
    join market.holds hold on hold.order_id = orders.id
    join market.agents agent on agent.id = case own.side when 'seller' then orders.seller_id else orders.buyer_id end
    join market.agents other on other.id = case own.side when 'seller' then orders.buyer_id else orders.seller_id end
    left join market.ask_versions version on version.ask_id = orders.ask_id and version.version = orders.ask_version
    left join market.bids bid on bid.id = orders.bid_id
    left join market.payouts payout on payout.deposit_from = hold.payer and payout.deposit_nonce = hold.deposit_nonce
      and payout.leg = case own.side when 'seller' then 'payee' else 'payer' end
    left join market.processed_chain_events outflow on outflow.key = 'outflow:' || payout.nonce and outflow.vanished_at is null
    cross join lateral (
      select case own.side when 'seller' then lower(orders.payee) else hold.payer end as address) credited
    left join lateral (
      select event.key, event.tx_hash, event.block_number, event.log_index from market.processed_chain_events event
      where event.key = any(array['released:' || hold.hold_key, 'reclaimed:' || hold.hold_key])
        and event.vanished_at is null limit 1) release on hold.hold_key is not null
    ${withdrawalOf(asset)}
    order by own.ended desc, own.id desc, own.side desc`.execute(tx)
  return rows
}

/**
 * Joins the withdrawal that took the credit of a released hold out of the contract. A withdrawal takes all
 * that its account has, so that is the first one after the release on the chain. The ledger may have booked
 * another release between the two before it.
 */
function withdrawalOf(asset: string): RawBuilder<unknown> {
  return sql`
    left join lateral (
      select event.tx_hash
      from ledger.transfers posted
      join ledger.accounts account on account.owner_id = credited.address and account.owner_type = 'address'
        and account.kind = 'claimable' and account.asset = ${asset}
      join ledger.entries credit on credit.transfer_id = posted.id and credit.account_id = account.id
      join ledger.entries debit on debit.account_id = account.id
        and (debit.created_at, debit.id) > (credit.created_at, credit.id) and debit.amount < 0
      join ledger.transfers taken on taken.id = debit.transfer_id and taken.kind = 'withdrawn'
      join market.processed_chain_events event on event.key = taken.key and event.vanished_at is null
        and (event.block_number, event.log_index) > (release.block_number, release.log_index)
      where posted.key = release.key
      order by debit.created_at, debit.id limit 1) withdrawal on true`
}

interface Place {
  ended: RawBuilder<Date>
  orderId: string
  side: Side
}

/** Reads a position in the list. It is from a cursor, whose authenticity was checked. */
function readPlace(text: string): Place {
  const [ended = '', orderId = '', side] = text.split(' ')
  const micros = ended === 'open' ? undefined : BigInt(ended)
  return {
    ended:
      micros === undefined
        ? sql<Date>`'infinity'::timestamptz`
        : sql<Date>`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`,
    orderId,
    side: side === 'seller' ? 'seller' : 'buyer',
  }
}
