import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { refuse } from '../../../errors.ts'
import type { Disputes } from '../../../platform/db/generated/tables.ts'
import { type Changes, lifecycle } from '../../../platform/db/lifecycle.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from '../../orders/record/find.ts'
import { orderPayload } from '../../orders/record/transition.ts'
import type { DisputeRow } from './find.ts'
import { stateConflict } from './guards.ts'
import { type DisputeTransition, disputeTransitions } from './states.ts'

const move = lifecycle('market.disputes', 'state', disputeTransitions)

/**
 * Moves a dispute along its lifecycle by one conditional UPDATE. The order must be locked. Returns the new
 * row. Throws disputes/state-conflict (409) if the transition cannot start from the dispute's state.
 */
export async function transition(
  tx: Tx,
  disputeId: string,
  name: DisputeTransition,
  changes: Changes<Disputes> = {},
): Promise<DisputeRow> {
  const [dispute] = await move(tx, sql<boolean>`id = ${disputeId}`, name, changes)
  if (!dispute) throw refuse(stateConflict(disputeTransitions[name].from))
  return dispute
}

/** The members of every event about a dispute: its order, and the states of both. */
export function disputePayload(order: OrderRow, dispute: DisputeRow) {
  return {
    ...orderPayload(order),
    dispute_urn: urnString('dispute', dispute.id),
    dispute_state: dispute.state,
    ...(dispute.due_at === null ? {} : { due_at: dispute.due_at.toISOString() }),
  }
}

/** Returns the accounts that see the events of an order. */
export function partiesOf({ buyer_id, seller_id }: OrderRow): string[] {
  return [buyer_id, seller_id]
}
