import { sql } from 'kysely'
import type { Measure } from '../../../../protocol/records/baseline.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from './find.ts'

/** The baseline for a delivery, before any change of scope. */
export interface Baseline extends Measure {
  description: string
}

/**
 * Returns the baseline for a delivery: the description and criteria of the ask in the version that was bought
 * (spec 2.5), or of the bid, which never changes, with the criteria of the quote where it has its own.
 */
export async function readBaseline(tx: Tx, order: OrderRow): Promise<Baseline> {
  const { ask_id, ask_version, bid_id, quote_id } = order
  if (ask_id !== null && ask_version !== null) {
    return tx
      .selectFrom('market.ask_versions')
      .select(['description', 'criteria', 'criteria_complete'])
      .where('ask_id', '=', ask_id)
      .where('version', '=', ask_version)
      .executeTakeFirstOrThrow()
  }
  const bid = await tx
    .selectFrom('market.bids')
    .select(['description', 'criteria', 'criteria_complete'])
    .where('id', '=', bid_id)
    .executeTakeFirstOrThrow()
  const { criteria, criteria_complete } = await tx
    .selectFrom('market.quotes')
    .select(['criteria', 'criteria_complete'])
    .where('id', '=', quote_id)
    .executeTakeFirstOrThrow()
  return criteria === null ? bid : { ...bid, criteria, criteria_complete }
}

/**
 * A change of scope that both parties agreed to: the proposal's message, and the digest that was accepted.
 */
export interface Amendment {
  message_id: string
  sha256: string
  accepted_at: Date
}

/** The amendments of `orders`, in a statement that reads them, in the order in which they were agreed. */
export const amendmentsJson = sql<AmendmentsJson>`(
  select jsonb_agg(jsonb_build_object('message_id', message_id, 'sha256', sha256, 'accepted_at', accepted_at)
    order by accepted_at, message_id)
  from market.acceptances where order_id = orders.id and kind = 'scope_change_proposal')`

/** The value of `amendmentsJson`: null if there are none. */
export type AmendmentsJson = (Omit<Amendment, 'accepted_at'> & { accepted_at: string })[] | null

/** Returns the amendments that `amendmentsJson` read. */
export function amendmentsOf(json: AmendmentsJson): Amendment[] {
  return (json ?? []).map(({ accepted_at, ...amendment }) => ({ ...amendment, accepted_at: new Date(accepted_at) }))
}

/** Returns the amendments of an order, in the order in which they were agreed. */
export async function readAmendments(tx: Tx, orderId: string): Promise<Amendment[]> {
  const { rows } = await sql<{ amendments: AmendmentsJson }>`
    select ${amendmentsJson} as amendments from market.orders where orders.id = ${orderId}`.execute(tx)
  return amendmentsOf(rows[0]?.amendments ?? null)
}
