import type { Measure } from '../../../../protocol/records/baseline.ts'
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
