import { randomBytes, randomUUID } from 'node:crypto'
import { sha256Hex } from '../../protocol/encoding/canonical.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import { encodeSignedAuthorization } from '../../protocol/payments/authorization.ts'
import type { Market } from '../../sdk/market.ts'
import { ApiProblem } from '../../sdk/problem.ts'
import { type Mode, type Order, type Parties, type Placed, readOrder, sign } from '../e2e/trading.ts'
import type { Stack } from '../kit/stack/stack.ts'
import { until } from '../kit/until.ts'

const PRICE = '20.000000'
const WORK_BYTES = 65_536
const RETRY_MS = 300
const POLL_MS = 400
/**
 * How long a call may be without an answer, and a trade at one step: a fault, and the market's return from
 * it.
 */
export const PATIENCE_MS = 150_000
const MOST_SIGNATURES = 4

/** One trade of the load, and what was acknowledged of it. */
export interface Trade {
  title: string
  mode: Mode
  parties: Parties
  /** The ids that were answered. */
  askId?: string
  placed?: Placed
  /** The requests that were acknowledged. */
  acknowledged: Set<'ask' | 'order' | 'payment' | 'delivery' | 'notice' | 'acceptance'>
  /** How the order ended, as its buyer reads it. */
  end?: 'final' | 'cancelled'
  begunMs: number
  endedMs?: number
}

/** From the ask to the money. Throws where the market refuses what it should take. */
export async function tradeOnce(stack: Stack, trade: Trade): Promise<void> {
  const { buyer, seller } = trade.parties
  const { mode, title, acknowledged } = trade
  const ask = await asked('the ask', (idempotencyKey) =>
    seller.client.call('createAsk', {
      body: { title, description: 'Forty-two lines of verse on any subject.', price: PRICE },
      idempotencyKey,
    }),
  )
  trade.askId = ask.body.urn.body
  acknowledged.add('ask')
  const order = await asked('the order', (idempotencyKey) =>
    buyer.client.call('placeOrder', { body: { ask_urn: ask.body.urn, escrow_mode: mode }, idempotencyKey }),
  )
  if (order.status !== 402) throw new Error(`the order was answered ${order.status}, not 402`)
  const { body: id } = order.body.order_urn
  trade.placed = { id, urn: urnString('order', id), offer: order.body }
  acknowledged.add('order')
  const steps = [() => pay(stack, trade), () => deliver(trade), () => accept(trade)]
  for (const step of steps) {
    await whileOpen(trade, step)
    if (trade.end) return
  }
  const settled = await untilOrder(
    buyer,
    trade,
    ({ state, hold }) => state === 'cancelled' || Boolean(hold?.release_tx),
  )
  end(trade, settled)
}

function end(trade: Trade, { state }: Order): void {
  trade.end = state === 'cancelled' ? 'cancelled' : 'final'
  trade.endedMs = performance.now()
}

/**
 * Takes a step; where it is refused because the order was suspended meanwhile, again when that is over; not
 * where time ended it.
 */
async function whileOpen(trade: Trade, step: () => Promise<void>): Promise<void> {
  const { buyer } = trade.parties
  const attempt = () =>
    step().then(
      () => undefined,
      (error: unknown) => error,
    )
  const tried = async () => {
    const error = await attempt()
    if (error === undefined) return true
    if (!(error instanceof ApiProblem) || error.status >= 500) throw error
    const order = await asked('the order', () => readOrder(buyer, urnOf(trade)))
    if (order.state === 'cancelled') return end(trade, order) ?? true
    if (!order.suspended_at && error.type !== 'market:error:orders/suspended') throw error
    return false
  }
  await until(`${trade.title} goes on`, tried, Boolean, { limitMs: PATIENCE_MS, pollMs: POLL_MS })
}

async function pay(stack: Stack, trade: Trade): Promise<void> {
  const { parties, placed } = trade
  if (!placed) throw new Error('there is no order to pay')
  const hand = async () => {
    const signed = await sign(stack, placed.offer, parties.buyer.account)
    const body = { signed_authorization: encodeSignedAuthorization(signed) }
    await asked('the payment', (idempotencyKey) =>
      parties.buyer.client.call('fundOrder', { params: { urn: placed.urn }, body, idempotencyKey }),
    )
  }
  // A signature that expired on its way is made anew.
  for (let signatures = 1; ; signatures++) {
    try {
      await hand()
      break
    } catch (error) {
      if (!(error instanceof ApiProblem && error.status === 422) || signatures === MOST_SIGNATURES) throw error
    }
  }
  trade.acknowledged.add('payment')
  const order = await untilOrder(parties.buyer, trade, ({ state }) => state !== 'placed')
  if (order.state === 'cancelled') end(trade, order)
}

async function deliver(trade: Trade): Promise<void> {
  const { seller } = trade.parties
  const order_urn = urnOf(trade)
  const work = randomBytes(WORK_BYTES)
  const output_hash = sha256Hex(work)
  const headers = { 'content-type': 'application/octet-stream' }
  const upload = new Uint8Array(work)
  const { body: delivery } = await asked('the delivery', (idempotencyKey) =>
    seller.client.call('uploadDelivery', { query: { order_urn, output_hash }, upload, headers, idempotencyKey }),
  )
  trade.acknowledged.add('delivery')
  const order = await asked('the order', () => readOrder(seller, order_urn))
  if (!order.thread_urn) throw new Error(`${trade.title} is ${order.state} and has no thread`)
  const { thread_urn } = order
  const delivery_urn = urnString('delivery', delivery.delivery_urn.body)
  const payload = { kind: 'delivery', output_hash, delivery_urn }
  await asked('the notice', (idempotencyKey) =>
    seller.client.call('postMessage', { body: { thread_urn, kind: 'delivery_notice', payload }, idempotencyKey }),
  )
  trade.acknowledged.add('notice')
}

async function accept(trade: Trade): Promise<void> {
  await asked('the acceptance', (idempotencyKey) =>
    trade.parties.buyer.client.call('acceptOrder', { params: { urn: urnOf(trade) }, idempotencyKey }),
  )
  trade.acknowledged.add('acceptance')
}

function urnOf({ placed, title }: Trade): string {
  if (!placed) throw new Error(`${title} has no order`)
  return placed.urn
}

function untilOrder(buyer: { client: Market }, trade: Trade, isThere: (order: Order) => boolean): Promise<Order> {
  const read = () => asked('the order', () => buyer.client.call('getOrder', { params: { urn: urnOf(trade) } }))
  const limits = { limitMs: PATIENCE_MS, pollMs: POLL_MS }
  return until(`${trade.title} goes on`, async () => (await read()).body, isThere, limits)
}

/** Makes a call again, with the same key, until it is answered. */
async function asked<Answer>(what: string, call: (idempotencyKey: string) => Promise<Answer>): Promise<Answer> {
  const key = randomUUID()
  const attempt = async () => {
    try {
      return { answer: await call(key) }
    } catch (error) {
      if (!isOutage(error)) throw error
      return { error: String(error) }
    }
  }
  const outcome = await until(`${what} is answered`, attempt, (made) => 'answer' in made, {
    limitMs: PATIENCE_MS,
    pollMs: RETRY_MS,
  })
  if (!('answer' in outcome)) throw new Error(`${what} was not answered`)
  return outcome.answer
}

/** No answer, one that the service cannot serve now, or that the same call is still being worked on. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return error instanceof TypeError || (error as Error).name === 'TimeoutError'
  return error.status >= 500 || error.retryAfterSeconds !== undefined
}
