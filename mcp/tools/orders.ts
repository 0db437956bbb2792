import { z } from 'zod'
import { cancelOrder, fundOrder, getOrder, listOrders, placeOrder } from '../../api/trading/orders/routes.ts'
import { parseAmount } from '../../protocol/encoding/amounts.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import type { Market } from '../../sdk/market.ts'
import { defineTool, type Tool, ToolRefusal } from '../tool.ts'
import { timeOf } from './clock.ts'
import { amount, cursor, ORDER_TEXTS, urn } from './inputs.ts'
import { MAX_WAIT_SECONDS, nextStep, readOrder } from './progress.ts'
import { signOutcome } from './settlement.ts'
import { requireRoom } from './spending.ts'

const purchase = z.object({
  ask_urn: urn('ask').optional().describe('What to order: an ask, with its ask_version, or a quote.'),
  ask_version: z.int().min(1).optional().describe('The version that you read with get_ask. A changed ask is refused.'),
  quote_urn: urn('quote').optional().describe('What to order: a quote on a bid of yours.'),
  max_price: amount.describe('The most you would pay.'),
  escrow_mode: z.enum(['custodied', 'contract']).optional(),
})

const state = listOrders.query.shape.state.unwrap()

/** Tools to order work, to pay for it, and to follow it. */
export const orderTools: readonly Tool[] = [
  defineTool({
    name: 'place_order',
    title: 'Order work',
    description:
      'Orders work and returns what its buyer must sign to pay for it (EIP-3009). Where this server holds a wallet, use buy instead.',
    input: purchase,
    output: placeOrder.answers[402].schema,
    isReadOnly: false,
    run: async ({ client }, input) => (await place(client, input)).offer,
  }),
  defineTool({
    name: 'fund_order',
    title: 'Pay an order',
    description: 'Hands over the authorization that you signed for an order of yours, base64 of JSON.',
    input: z.object({ order_urn: urn('order'), signed_authorization: z.string() }),
    output: fundOrder.answers[202].schema,
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    run: async ({ client }, { order_urn, signed_authorization }) =>
      (await client.call('fundOrder', { params: { urn: order_urn }, body: { signed_authorization } })).body,
  }),
  defineTool({
    name: 'buy',
    needsPurse: true,
    title: 'Order and pay',
    description: 'Orders work and pays for it from the wallet of this server, within its limits.',
    input: purchase,
    output: fundOrder.answers[202].schema,
    isReadOnly: false,
    isDestructive: true,
    run: async ({ client, purse }, input) => {
      if (!purse) throw new ToolRefusal('This server holds no wallet: use place_order, sign, and fund_order.')
      const { offer, price, seller, nowSeconds } = await place(client, input)
      const check = () => requireRoom(client, offer.amount)
      const signed_authorization = await purse.pay(offer, { price, seller, nowSeconds }, check)
      const params = { urn: `market:order:${offer.order_urn.body}` }
      return (await client.call('fundOrder', { params, body: { signed_authorization } })).body
    },
  }),
  defineTool({
    name: 'get_order',
    title: 'Read an order',
    description:
      'Reads an order: its state, its hold, its deadlines, and in next_step what you may do. With wait_for it answers once the order is in that state or at its end, or after timeout_seconds.',
    input: z.object({
      order_urn: urn('order'),
      wait_for: state.optional(),
      timeout_seconds: z.int().min(1).max(MAX_WAIT_SECONDS).default(MAX_WAIT_SECONDS),
    }),
    output: getOrder.answers[200].schema.extend({ next_step: z.string() }),
    isReadOnly: true,
    untrusted: ORDER_TEXTS,
    run: async ({ client }, { order_urn, wait_for, timeout_seconds }) => {
      const order = await readOrder(client, order_urn, wait_for && { state: wait_for, seconds: timeout_seconds })
      return { next_step: nextStep(order), ...order }
    },
  }),
  defineTool({
    name: 'list_orders',
    title: 'List your orders',
    description: 'Lists the orders you are a party of, newest first. A seller finds what it must do with state funded.',
    input: z.object({ role: z.enum(['buyer', 'seller']).optional(), state: state.optional(), cursor }),
    output: listOrders.answers[200].schema,
    isReadOnly: true,
    untrusted: ORDER_TEXTS,
    run: async ({ client }, query) => (await client.call('listOrders', { query })).body,
  }),
  defineTool({
    name: 'cancel_order',
    title: 'Cancel an order',
    description:
      'Cancels an order while you may; what was paid is refunded. The seller of a disputed order concedes by it.',
    input: z.object({ order_urn: urn('order'), reason_code: cancelOrder.body.shape.reason_code }),
    output: cancelOrder.answers[200].schema,
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    untrusted: ORDER_TEXTS,
    run: async ({ client, purse }, { order_urn, reason_code }) => {
      await signOutcome({ client, purse }, order_urn, (hold) => hold.amount)
      return (await client.call('cancelOrder', { params: { urn: order_urn }, body: { reason_code } })).body
    },
  }),
]

/**
 * Orders from an ask, in the version that the agent read, or from a quote. Throws a ToolRefusal if the price
 * is too high.
 */
async function place(client: Market, { max_price, escrow_mode, ...wanted }: z.output<typeof purchase>) {
  const isBeyond = (price: string) => (parseAmount(price) ?? 0n) > (parseAmount(max_price) ?? 0n)
  const refusal = (price: string) => `It costs ${price}, and ${max_price} is the most you would pay.`
  const { named, isCurrent, price, seller } = await readOffer(client, wanted)
  if (isCurrent && isBeyond(price)) throw new ToolRefusal(`${refusal(price)} Nothing was ordered.`)
  const body = { ...named, ...(escrow_mode ? { escrow_mode } : {}) }
  const placed = await client.call('placeOrder', { body })
  if (placed.status !== 402) throw new ToolRefusal('The order was taken for a payment of another.')
  const { body: offer, response } = placed
  // If the ask has another version by now, this order was placed before, with the same key.
  if (isBeyond(offer.amount)) throw new ToolRefusal(`${refusal(offer.amount)} Nothing was signed.`)
  return { offer, price: isCurrent ? price : offer.amount, seller, nowSeconds: timeOf(response) }
}

type Wanted = Pick<z.output<typeof purchase>, 'ask_urn' | 'ask_version' | 'quote_urn'>

async function readOffer(client: Market, { ask_urn, ask_version, quote_urn }: Wanted) {
  if (quote_urn !== undefined && ask_urn === undefined) {
    const { body: quote } = await client.call('getQuote', { params: { urn: quote_urn } })
    const bid_urn = urnString('bid', quote.bid_urn.body)
    return { named: { bid_urn, quote_urn }, isCurrent: true, price: quote.price, seller: quote.seller_urn }
  }
  if (ask_urn === undefined || ask_version === undefined || quote_urn !== undefined) {
    throw new ToolRefusal('Name what to order: ask_urn with ask_version, or quote_urn. Nothing was ordered.')
  }
  const { body: ask } = await client.call('getAsk', { params: { urn: ask_urn } })
  const isCurrent = ask.version === ask_version
  return { named: { ask_urn, ask_version }, isCurrent, price: ask.price, seller: ask.seller_urn }
}
