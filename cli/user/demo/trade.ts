import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'
import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { type UrnObject, urnString } from '../../../protocol/encoding/urn.ts'
import { type SignedReceipt, signedReceipt } from '../../../protocol/records/receipt.ts'
import { signedAuthorizationFor } from '../../../sdk/authorization.ts'
import { sendNotice, uploadWork } from '../../../sdk/deliver.ts'
import type { DemoChain } from './chain.ts'
import { collect } from './internal/collect.ts'
import type { Parties } from './parties.ts'

/** One step of a trade: its name, the order's state after it, and its transaction, if any. */
export interface TradeStep {
  step: string
  state: string
  transaction?: Hex
}

/** A complete trade. Seller and service are what their accounts received on chain, in wire form. */
export interface TradeRecord {
  order_urn: string
  price: string
  seller: string
  service: string
  transactions: Hex[]
  steps: TradeStep[]
  receipt: SignedReceipt
}

/** The inputs of a trade, and a callback for its steps. */
export interface TradeInput {
  mode: 'contract' | 'custodied'
  parties: Parties
  chain: DemoChain
  onStep: (step: TradeStep) => void
}

type Order = Awaited<ReturnType<typeof readOrder>>

/** The price of the work. */
export const PRICE = '20.000000'
const WORK = 'Forty-two lines of verse.'
const POLL_MS = 100

/** Trades once, from the ask to the money in the seller's wallet. Throws when a step fails. */
export async function trade({ mode, parties, chain, onStep }: TradeInput): Promise<TradeRecord> {
  const steps: TradeStep[] = []
  const note = (step: string, state: string, transaction?: Hex) => {
    const done: TradeStep = transaction ? { step, state, transaction } : { step, state }
    steps.push(done)
    onStep(done)
  }
  const { order_urn: urn } = await orderAndSign({ mode, parties, chain, note })
  const funded = await untilOrder(parties, urn, ({ state }) => state === 'funded')
  note(mode === 'contract' ? 'escrow holds it' : 'hot wallet holds it', funded.state, funded.hold?.deposit_tx)
  note('seller delivers', await deliver(parties, funded))
  const accepted = await parties.buyer.client.call('acceptOrder', { params: { urn: pathOf(urn) } })
  note('buyer accepts', accepted.body.state)
  const settled = await untilOrder(parties, urn, ({ state, hold }) => state === 'final' && hold?.release_tx != null)
  note(
    mode === 'contract' ? 'escrow releases it' : 'hot wallet pays the seller',
    settled.state,
    settled.hold?.release_tx ?? undefined,
  )
  const received = await collect({
    mode,
    parties,
    chain,
    order: settled,
    note: (step, hash) => note(step, settled.state, hash),
  })
  const receipt = await parties.seller.client.call('getReceipt', {
    params: { urn: urnText(settled.receipt_urn, 'receipt') },
  })
  return {
    order_urn: pathOf(urn),
    price: PRICE,
    seller: formatAmount(received.sellerMicros),
    service: formatAmount(received.serviceMicros),
    transactions: [...new Set(steps.flatMap(({ transaction }) => transaction ?? []))],
    steps,
    receipt: signedReceipt.parse(receipt.body.signed),
  }
}

/**
 * Places an order, by default on a new ask, and hands over the signed payment. Returns its payment
 * requirements.
 */
export async function orderAndSign(given: {
  mode: TradeInput['mode']
  parties: Parties
  chain: DemoChain
  note: (step: string, state: string) => void | Promise<void>
  on?: Awaited<ReturnType<typeof newAsk>> | { bid_urn: UrnObject; quote_urn: UrnObject }
}) {
  const { buyer } = given.parties
  const on = given.on ?? (await newAsk(given.parties))
  const placed = await buyer.client.call('placeOrder', { body: { ...on, escrow_mode: given.mode } })
  if (placed.status !== 402) throw new Error(`the order was answered ${placed.status}, not 402`)
  if ('ask_urn' in on) await withdrawAsk(given.parties, on.ask_urn)
  await given.note('buyer orders, and gets a 402', 'placed')
  const signed_authorization = await signedAuthorizationFor(placed.body, buyer.account, given.chain.market, {
    price: PRICE,
    nowSeconds: Number((await given.chain.rpc.getBlock()).timestamp),
  })
  const taken = await buyer.client.call('fundOrder', {
    params: { urn: pathOf(placed.body.order_urn) },
    body: { signed_authorization },
  })
  await given.note('buyer signs an EIP-3009 authorization', taken.body.state)
  return placed.body
}

async function newAsk({ seller }: Parties) {
  const body = { title: 'Verse', description: 'Forty-two lines of verse on any subject.', price: PRICE }
  return { ask_urn: (await seller.client.call('createAsk', { body })).body.urn }
}

/** Deactivates an ask: after the demonstration nobody would deliver an order on it. */
async function withdrawAsk({ seller }: Parties, { body: id }: UrnObject): Promise<void> {
  const params = { urn: urnString('ask', id) }
  await seller.client.call('reviseAsk', { params, body: { active: false } })
}

/** Has the seller deliver. Returns the order's state. */
export async function deliver({ seller }: Parties, order: Order): Promise<string> {
  await sendNotice(seller.client, await uploadWork(seller.client, pathOf(order.urn), WORK, { filename: 'verse.txt' }))
  return (await readOrder({ seller }, order.urn)).state
}

async function readOrder({ seller }: Pick<Parties, 'seller'>, urn: UrnObject) {
  return (await seller.client.call('getOrder', { params: { urn: pathOf(urn) } })).body
}

/** Waits until an order meets a condition. Throws if it is cancelled instead. */
export async function untilOrder(parties: Parties, urn: UrnObject, isThere: (order: Order) => boolean): Promise<Order> {
  for (;;) {
    const order = await readOrder(parties, urn)
    if (isThere(order)) return order
    if (order.state === 'cancelled') throw new Error(`the order was cancelled: ${order.reason}`)
    await delay(POLL_MS)
  }
}

/** Returns the URN of an order as text. */
export function pathOf(urn: UrnObject): string {
  return urnString('order', urn.body)
}

/** Returns a URN as text. Throws if there is none. */
export function urnText(urn: UrnObject | null, prefix: 'thread' | 'receipt' | 'verdict'): string {
  if (!urn) throw new Error(`the order has no ${prefix} yet`)
  return urnString(prefix, urn.body)
}
