import { setTimeout as delay } from 'node:timers/promises'
import type { CallAnswer, Market } from '../../sdk/market.ts'

type Order = CallAnswer<'getOrder'>['body']

/** The longest that a tool waits: clients of MCP end a call after a minute. */
export const MAX_WAIT_SECONDS = 50
const LOOK_INTERVAL_MS = 500
const ENDS: readonly Order['state'][] = ['final', 'cancelled']

/** What each state of an order waits for, and the tools for it. */
export const NEXT_STEPS: Readonly<Record<Order['state'], string>> = {
  placed: 'The buyer pays it (fund_order). Either party may cancel_order.',
  funded:
    'The seller does the work, and delivers it (deliver) before sla_due_at. The seller may cancel_order; after sla_due_at the buyer too.',
  in_flight:
    'The seller delivers the work (deliver) before sla_due_at. The seller may cancel_order; after sla_due_at the buyer too.',
  delivered:
    'The buyer reads it (get_delivery), then accept_delivery or reject_delivery before accept_by: after that it is accepted by itself.',
  accepted: 'Nothing: the money is on its way to the seller.',
  rejected:
    'Before redeliver_by the seller delivers again (deliver) or refunds (cancel_order), the buyer may accept_delivery after all, and either may open_dispute.',
  disputed:
    'get_dispute tells what the dispute waits for. The seller may concede (cancel_order), the buyer accept_delivery.',
  cancelled: 'Nothing: what was paid goes back.',
  final: 'The buyer may rate_order.',
}

/** Reads an order; with `until`, again until it is in that state or at its end, or until the seconds are over. */
export async function readOrder(
  client: Market,
  urn: string,
  until?: { state: Order['state']; seconds: number },
): Promise<Order> {
  const endsAt = performance.now() + (until?.seconds ?? 0) * 1_000
  for (;;) {
    const { body } = await client.call('getOrder', { params: { urn } })
    const isReached = until === undefined || body.state === until.state || ENDS.includes(body.state)
    if (isReached || performance.now() + LOOK_INTERVAL_MS > endsAt) return body
    await delay(LOOK_INTERVAL_MS)
  }
}
