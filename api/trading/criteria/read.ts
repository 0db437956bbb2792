import { sql } from 'kysely'
import type { Measure } from '../../../protocol/records/baseline.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Criterion } from './schema.ts'

/** The criteria of an order, and whether their checks are the whole test. */
export interface OrderMeasure extends Measure {
  criteria: Criterion[]
}

/**
 * Joins the subject of an order to the `orders` of a statement: `sold`, the ask in the version that was
 * bought, or `asked` and `quoted`, a bid and its quote.
 */
export const joinSubject = sql`
  left join market.ask_versions sold on sold.ask_id = orders.ask_id and sold.version = orders.ask_version
  left join market.quotes quoted on quoted.id = orders.quote_id
  left join market.bids asked on asked.id = orders.bid_id`

/**
 * Joins the criteria in force to `orders` and its subject, as `standing`: those of the newest accepted change
 * of scope that has any, else of the ask in the version that was bought, of the quote, or of its bid.
 */
export const joinMeasure = sql`
  left join lateral (
    select said.payload -> 'changes' as changes
    from market.acceptances accepted join market.messages said on said.id = accepted.message_id
    where accepted.order_id = orders.id and accepted.kind = 'scope_change_proposal'
      and said.payload #> '{changes,criteria}' is not null
    order by accepted.accepted_at desc, accepted.message_id desc limit 1) amended on true
  cross join lateral (
    select coalesce(amended.changes -> 'criteria', sold.criteria, quoted.criteria, asked.criteria) as criteria,
      case when amended.changes is not null then coalesce((amended.changes ->> 'criteria_complete')::boolean, false)
        when quoted.criteria is not null then quoted.criteria_complete
        else coalesce(sold.criteria_complete, asked.criteria_complete) end as criteria_complete) standing`

/** Returns the criteria in force of those orders that have some. */
export async function readMeasures(tx: Tx, orderIds: readonly string[]): Promise<Map<string, OrderMeasure>> {
  const { rows } = await sql<OrderMeasure & { order_id: string }>`
    select orders.id as order_id, standing.criteria, standing.criteria_complete
    from market.orders ${joinSubject} ${joinMeasure}
    where orders.id = any(${orderIds}) and jsonb_array_length(standing.criteria) > 0`.execute(tx)
  return new Map(rows.map(({ order_id, ...measure }) => [order_id, measure]))
}
