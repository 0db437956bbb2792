import { setTimeout as delay } from 'node:timers/promises'
import type { CallAnswer, Market } from '../../sdk/market.ts'

type Order = CallAnswer<'getOrder'>['body']

/** The longest time that a tool waits: MCP clients end a call after a minute. */
export const MAX_WAIT_SECONDS = 50
const LOOK_INTERVAL_MS = 500
const ENDS: readonly Order['state'][] = ['final', 'cancelled']

/** The tool for each thing that a party may do with an order. */
const TOOLS: Readonly<Record<Order['may'][number], string>> = {
  fund: 'pay it (fund_order)',
  start: 'say that the work has begun (send_message with kind work_started)',
  deliver: 'deliver the work (deliver)',
  dispute: 'open a dispute (open_dispute)',
  accept: 'read the delivery (get_delivery) and accept it (accept_delivery)',
  reject: 'reject the delivery (reject_delivery)',
  cancel: 'cancel it, which refunds what was paid (cancel_order)',
  propose_scope_change: 'propose a change of scope (send_message)',
  propose_cancellation: 'propose to cancel it together (send_message)',
  propose_remedy: 'propose how to divide the money (send_message)',
  rate: 'rate the work (rate_order)',
}

const BY_ITSELF = {
  pay: 'it is cancelled',
  adopt: 'the contract makes the payment its hold',
  deliver: 'its buyer may cancel it',
  decide: 'the delivery is accepted',
  redeliver: 'a dispute opens',
  dispute: 'the dispute goes on (get_dispute)',
  expire: 'its hold expired, and the wallet that paid can take the money back (reclaim)',
} as const

/**
 * Returns what the caller may do with an order now, with the tools for it, and what happens if nobody does
 * anything.
 */
export function nextStep({ may, next_deadline }: Pick<Order, 'may' | 'next_deadline'>): string {
  const own =
    may.length > 0
      ? `You may: ${may.map((action) => TOOLS[action]).join('; ')}.`
      : 'There is nothing to do for you now.'
  return next_deadline ? `${own} At ${next_deadline.at} ${BY_ITSELF[next_deadline.what]}.` : own
}

/**
 * Reads an order. With `until`, reads it again until it is in that state or has ended, or until the seconds
 * are over.
 */
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
