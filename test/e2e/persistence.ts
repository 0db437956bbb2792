import { setTimeout as delay } from 'node:timers/promises'
import type { CallInput, Market, OperationName } from '../../sdk/market.ts'
import { ApiProblem } from '../../sdk/problem.ts'
import type { Stack } from '../kit/stack/stack.ts'
import {
  accept,
  deliver,
  fund,
  type Order,
  type Parties,
  type Placed,
  readOrder,
  sign,
  type Trader,
} from './trading.ts'

const RETRY_MS = 100
const POLL_MS = 500
/** A worker that is killed at each of a dozen commits leaves its job locked for six seconds each time. */
const PATIENCE_MS = 240_000

/**
 * Both agents as ones who repeat a call that got no answer, or a 5xx, until it gets one or they lose their
 * patience.
 */
export function persistent({ buyer, seller }: Parties): Parties {
  return { buyer: repeating(buyer), seller: repeating(seller) }
}

/**
 * Does for a trade whatever its order's state asks of the two agents next, until it is settled. A 409 says
 * that the step was taken before, by a call whose answer was lost. Ends early when `stop` aborts, or in the
 * state `until`.
 */
export async function finish(
  stack: Stack,
  parties: Parties,
  { urn, offer }: Placed,
  { stop, until }: { stop?: AbortSignal; until?: Order['state'] | undefined } = {},
): Promise<void> {
  const { buyer, seller } = parties
  const signed = await sign(stack, offer, buyer.account)
  const takeNextStep = async (order: Order) => {
    if (order.state === 'placed') await fund(buyer, urn, signed)
    if (order.state === 'funded') await deliver(seller, order)
    if (order.state === 'delivered') await accept(buyer, urn)
  }
  const done = new Set<Order['state']>()
  const deadline = performance.now() + PATIENCE_MS
  while (!stop?.aborted) {
    const order = await readOrder(buyer, urn)
    if (order.state === 'cancelled') throw new Error(`order ${urn} was cancelled: ${order.reason}`)
    if (order.hold?.release_tx || order.state === until) return
    if (!done.has(order.state)) await takeNextStep(order).catch(unlessTakenBefore)
    done.add(order.state)
    if (performance.now() > deadline) throw new Error(`order ${urn} stays ${order.state}`)
    await delay(POLL_MS)
  }
}

function unlessTakenBefore(error: unknown): void {
  if (!(error instanceof ApiProblem && error.status === 409)) throw error
}

function repeating(trader: Trader): Trader {
  const { client } = trader
  const patient: Pick<Market, 'call'> = {
    async call<Name extends OperationName>(name: Name, input: CallInput<Name>) {
      const deadline = performance.now() + PATIENCE_MS
      for (;;) {
        try {
          return await client.call(name, input)
        } catch (error) {
          if (!isOutage(error) || performance.now() > deadline) throw error
        }
        await delay(RETRY_MS)
      }
    },
  }
  return { ...trader, client: { ...client, ...patient } }
}

/** No answer at all (fetch throws a TypeError), or one that says the service cannot serve now. */
function isOutage(error: unknown): boolean {
  return error instanceof ApiProblem ? error.status >= 500 : error instanceof TypeError
}
