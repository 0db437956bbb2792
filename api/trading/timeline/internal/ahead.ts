import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from '../../orders/record/find.ts'
import { nextDeadline, readLabels } from '../../orders/record/labels.ts'

/** Returns the deadlines of an order that are still ahead, the next first. */
export async function readAhead(tx: Tx, order: OrderRow) {
  const labels = await readLabels(tx, order.id)
  const next = labels ? nextDeadline(order, labels) : null
  const held = await tx
    .selectFrom('market.holds')
    .select('id')
    .where('order_id', '=', order.id)
    .where('status', '=', 'held')
    .executeTakeFirst()
  const expires = order.escrow_mode === 'contract' && held !== undefined && next?.what !== 'expire'
  const ahead = [...(next ? [next] : []), ...(expires ? [expiry(order)] : [])]
  return ahead.sort((one, other) => (one.at < other.at ? -1 : 1))
}

function expiry({ expires_at }: OrderRow) {
  return { what: 'expire' as const, at: expires_at.toISOString() }
}

/** Returns the requests to the chain for an order that are not confirmed, oldest first. */
export async function readUnderWay(tx: Tx, orderId: string) {
  const { rows } = await sql<{ kind: string; created_at: Date; hashes: Hex[] }>`
    select intent.kind, intent.created_at, array(
      select sent.hash from facilitator.transactions sent where sent.intent_id = intent.id order by sent.created_at) as hashes
    from market.intents intent where intent.order_id = ${orderId} and intent.closed_at is null and intent.kind <> 'sight'
    order by intent.id`.execute(tx)
  return rows.map(({ kind, created_at, hashes }) => ({
    what: kind,
    asked_at: created_at.toISOString(),
    tx_hashes: hashes,
  }))
}
