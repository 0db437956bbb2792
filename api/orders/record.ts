import type { Selectable } from 'kysely'
import type { AgentCall } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import type { Place } from '../db/runner.ts'
import type { Database } from '../db/schema.ts'
import { statement } from '../db/statement.ts'
import { notFound } from '../errors.ts'
import { type HoldRow, SHOWN_COLUMNS, type ShownOrder, toOrder } from './wire.ts'

type Hold = Selectable<Database['market.holds']>

interface RecordRow extends ShownOrder {
  hold_status: Hold['status'] | null
  hold_amount_micros: bigint
  hold_payer: string
  hold_deposit_tx: string
  hold_release_tx: string | null
  hold_settled_at: Date | null
  /** Times in it are text, as JSON has them. */
  amendments: { message_id: string; sha256: string; accepted_at: string }[] | null
}

// The most frequent question of all, so that it is one statement: it sees one moment without a transaction around it.
const selectRecord = statement<RecordRow>(`
  select ${SHOWN_COLUMNS.map((name) => `placed.${name}`).join(', ')},
    hold.status as hold_status, hold.amount_micros as hold_amount_micros, hold.payer as hold_payer,
    hold.deposit_tx as hold_deposit_tx, hold.release_tx as hold_release_tx, hold.settled_at as hold_settled_at,
    (select json_agg(json_build_object('message_id', message_id, 'sha256', sha256, 'accepted_at', accepted_at)
        order by accepted_at, message_id)
      from market.acceptances where order_id = placed.id and kind = 'scope_change_proposal') as amendments
  from market.orders placed left join market.holds hold on hold.order_id = placed.id
  where placed.id = $1`)

/** An order as a party reads it. Throws the uniform 404 for anyone else. */
export async function readOrderRecord(tx: Tx, call: AgentCall, orderId: string) {
  return toRecord(call, await findOrderRecord(tx, orderId))
}

/** What an order's parties read of it, whoever asks: it goes no further than toRecord. */
export async function findOrderRecord(place: Place, orderId: string): Promise<RecordRow | undefined> {
  const [order] = await selectRecord(place, [orderId])
  return order
}

/** An order as a party reads it, of its row. Throws the uniform 404 for anyone else, and for no order. */
export function toRecord({ actor, settings }: AgentCall, order: RecordRow | undefined) {
  if (!order || (order.buyer_id !== actor.agentId && order.seller_id !== actor.agentId)) throw notFound('order')
  const amendments = (order.amendments ?? []).map((amendment) => ({
    ...amendment,
    accepted_at: new Date(amendment.accepted_at),
  }))
  return toOrder(settings.chain, order, { hold: holdOf(order), amendments })
}

function holdOf(row: RecordRow): HoldRow | undefined {
  if (row.hold_status === null) return undefined
  return {
    status: row.hold_status,
    amount_micros: row.hold_amount_micros,
    payer: row.hold_payer,
    deposit_tx: row.hold_deposit_tx,
    release_tx: row.hold_release_tx,
    settled_at: row.hold_settled_at,
  }
}
