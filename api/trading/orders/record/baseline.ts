import type { Measure } from '../../../../protocol/records/baseline.ts'
import { anyOf } from '../../../platform/db/lists.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from './find.ts'

/** What delivery is measured against before any change of scope. */
export interface Baseline extends Measure {
  description: string
}

/**
 * Returns what delivery is measured against: the description and criteria of the ask in the version that was bought (spec 2.5),
 * or of the bid, which never changes, with the criteria of the quote where it has its own.
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

/** A change of scope that both parties agreed to: the proposal's message, and the digest that was accepted. */
export interface Amendment {
  order_id: string
  message_id: string
  sha256: string
  accepted_at: Date
}

/** Returns the amendments of some orders, in the order in which they were agreed. */
export async function readAmendments(tx: Tx, orderIds: readonly string[]): Promise<Amendment[]> {
  return tx
    .selectFrom('market.acceptances')
    .select(['order_id', 'message_id', 'sha256', 'accepted_at'])
    .where('order_id', '=', anyOf(orderIds))
    .where('kind', '=', 'scope_change_proposal')
    .orderBy('accepted_at')
    .orderBy('message_id')
    .execute()
}
