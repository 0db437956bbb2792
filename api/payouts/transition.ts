import type { Expression, Selectable } from 'kysely'
import { formatAmount } from '../../protocol/amounts.ts'
import { urnString } from '../../protocol/urn.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { type PayoutEvent, type PayoutState, payoutTransitions } from './states.ts'

/** A payout as its row holds it. */
export type PayoutRow = Selectable<Database['market.payouts']>

type Changes = { [Column in keyof PayoutRow]?: PayoutRow[Column] | Expression<unknown> }

const EVENT_TYPES: Partial<Record<PayoutState, string>> = {
  blocked: 'payout.blocked',
  confirmed: 'payout.executed',
  failed: 'payout.failed',
}

/**
 * Moves a payout along its lifecycle: one conditional UPDATE, and its event where there is one (spec 6.3).
 * Undefined when it was not in a state the move starts from.
 */
export async function movePayout(
  tx: Tx,
  payoutId: string,
  event: PayoutEvent,
  changes: Changes = {},
): Promise<PayoutRow | undefined> {
  const { from, to } = payoutTransitions[event]
  const payout = await tx
    .updateTable('market.payouts')
    .set({ ...(changes as object), state: to })
    .where('id', '=', payoutId)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (payout) await announcePayout(tx, payout)
  return payout
}

/** Tells whoever's money it is what has become of a payout. A stranger's tells nobody. */
export async function announcePayout(tx: Tx, payout: PayoutRow): Promise<void> {
  const type = EVENT_TYPES[payout.state]
  const visibleTo = [payout.agent_id, payout.human_id].filter((account) => account !== null)
  if (!type || visibleTo.length === 0) return
  await emit(tx, {
    type,
    payload: {
      payout_urn: urnString('payout', payout.id),
      ...(payout.order_id ? { order_urn: urnString('order', payout.order_id) } : {}),
      state: payout.state,
      amount: formatAmount(payout.amount_micros),
      ...(payout.tx_hash ? { tx_hash: payout.tx_hash } : {}),
    },
    visibleTo,
  })
}
