import { type Selectable, sql } from 'kysely'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import { type Changes, lifecycle } from '../../platform/db/lifecycle.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { emit } from '../../platform/events/emit.ts'
import type { PayloadOf } from '../../platform/events/eventType.ts'
import { payoutEvents } from './module.ts'
import { type PayoutState, type PayoutTransition, payoutTransitions } from './states.ts'

/** A payout, as stored. */
export type PayoutRow = Selectable<Database['market.payouts']>

const move = lifecycle('market.payouts', 'state', payoutTransitions)

const EVENT_TYPES = {
  blocked: 'payout.blocked',
  confirmed: 'payout.executed',
  failed: 'payout.failed',
} as const satisfies Partial<Record<PayoutState, keyof typeof payoutEvents>>

/**
 * Moves a payout along its lifecycle: one conditional UPDATE, and its event if its new state has one (spec
 * 6.3). Returns undefined if the payout was not in a state that the transition starts from.
 */
export async function transitionPayout(
  tx: Tx,
  payoutId: string,
  name: PayoutTransition,
  changes: Changes<Database['market.payouts']> = {},
): Promise<PayoutRow | undefined> {
  const [payout] = await move(tx, sql<boolean>`id = ${payoutId}`, name, changes)
  if (payout) await announcePayout(tx, payout)
  return payout
}

/** Emits the payout's event to its owner. A stranger's payout has no recipient and emits none. */
export async function announcePayout(tx: Tx, payout: PayoutRow): Promise<void> {
  const type = payout.state in EVENT_TYPES ? EVENT_TYPES[payout.state as keyof typeof EVENT_TYPES] : undefined
  const visibleTo = [payout.agent_id, payout.human_id].filter((account) => account !== null)
  if (!type || visibleTo.length === 0) return
  await emit(tx, payoutEvents[type], {
    payload: payoutPayload(payout),
    visibleTo,
  })
}

/** Returns the members that every event about a payout has. */
export function payoutPayload(payout: PayoutRow): PayloadOf<(typeof payoutEvents)['payout.executed']> {
  return {
    payout_urn: urnString('payout', payout.id),
    ...(payout.order_id ? { order_urn: urnString('order', payout.order_id) } : {}),
    state: payout.state,
    amount: formatAmount(payout.amount_micros),
    ...(payout.tx_hash ? { tx_hash: payout.tx_hash } : {}),
  }
}
