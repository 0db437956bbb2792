import { emit } from '../../../../../api/platform/events/emit.ts'
import { orderEvents } from '../../../../../api/trading/orders/record/module.ts'
import { newId } from '../../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { Api } from '../http/api.ts'

/** Emits an event about an order of its own, in a transaction of its own. Returns the URN of the order. */
export async function tell(
  { db }: Pick<Api, 'db'>,
  visibleTo: readonly string[],
  type: keyof typeof orderEvents = 'order.funded',
): Promise<string> {
  const order_urn = urnString('order', newId())
  const agent = urnString('agent', newId())
  const payload = { order_urn, state: 'funded', price: '20.000000', escrow_mode: 'custodied' } as const
  const event = { payload: { ...payload, buyer_urn: agent, seller_urn: agent }, visibleTo }
  await db.transaction().execute((tx) => emit(tx, orderEvents[type], event))
  return order_urn
}

/** The orders that events are about. */
export function ordersIn(events: readonly { payload: Record<string, unknown> }[]): unknown[] {
  return events.map(({ payload }) => payload.order_urn)
}
