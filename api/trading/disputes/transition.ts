import type { Expression, UpdateType } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { refuse } from '../../errors.ts'
import type { Disputes } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { orderPayload } from '../orders/record/eventPayload.ts'
import type { OrderRow } from '../orders/record/find.ts'
import type { DisputeRow } from './find.ts'
import { stateConflict } from './guards.ts'
import { type DisputeEvent, type DisputeTransition, disputeTransitions } from './states.ts'

type Changes = { [Column in keyof Disputes]?: UpdateType<Disputes[Column]> | Expression<unknown> }

/**
 * Moves a dispute along its lifecycle by one conditional UPDATE. The order must be locked. Returns the new row. Throws
 * disputes/state-conflict (409) if the event cannot start from the dispute's state.
 */
export async function transition(
  tx: Tx,
  disputeId: string,
  event: DisputeEvent,
  changes: Changes = {},
): Promise<DisputeRow> {
  const { from, to }: DisputeTransition = disputeTransitions[event]
  return tx
    .updateTable('market.disputes')
    .set({ ...(changes as object), state: to })
    .where('id', '=', disputeId)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirstOrThrow(() => refuse(stateConflict(from)))
}

/** What every event about a dispute says: its order, and where both stand. */
export function disputePayload(order: OrderRow, dispute: DisputeRow) {
  return {
    ...orderPayload(order),
    dispute_urn: urnString('dispute', dispute.id),
    dispute_state: dispute.state,
    ...(dispute.due_at === null ? {} : { due_at: dispute.due_at.toISOString() }),
  }
}

/** Returns the accounts that see what happens to an order. */
export function partiesOf({ buyer_id, seller_id }: OrderRow): string[] {
  return [buyer_id, seller_id]
}
