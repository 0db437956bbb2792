import { sql } from 'kysely'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { askProblems } from '../../asks/problems.ts'

/**
 * Throws asks/at-capacity if an ask has as many orders to deliver as its seller takes at once, without
 * counting the order itself. Only paid orders count, and those whose payment is under way: an order that
 * nobody pays keeps no buyer away. Orders of a limited ask pass one after the other, so that each counts
 * those before it.
 */
export async function requireCapacity(tx: Tx, askId: string, orderId: string | null): Promise<void> {
  const limited = await tx
    .selectFrom('market.asks')
    .select('max_open_orders')
    .where('id', '=', askId)
    .where('max_open_orders', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (limited?.max_open_orders == null) return
  const most = limited.max_open_orders
  // A statement of its own: it sees what was committed while the lock was waited for.
  const { rows } = await sql<{ is_full: boolean }>`
    select count(*) >= ${most} as is_full from market.orders traded
    where ask_id = ${askId} and state in ('placed', 'funded', 'in_flight') and id is distinct from ${orderId}
      and (state <> 'placed'
        or exists (select from market.authorizations where order_id = traded.id and state <> 'failed')
        or exists (select from market.intents where order_id = traded.id and kind = 'adopt' and closed_at is null))`.execute(
    tx,
  )
  if (!rows[0]?.is_full) return
  throw new Problem(askProblems.atCapacity, {
    detail: `The seller takes ${most} orders of this ask at once, and has as many to deliver. Nothing was paid: try again later.`,
    field: 'ask_urn',
  })
}
