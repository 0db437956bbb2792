import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { sha256Hex } from '../../protocol/encoding/canonical.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import { encodeSignedAuthorization, type SignedAuthorization } from '../../protocol/payments/authorization.ts'
import { signOffer, type TypedDataSigner } from '../../sdk/authorization.ts'
import { createMarket, type Market } from '../../sdk/market.ts'
import type { PaymentMarket, PaymentOffer } from '../../sdk/offer.ts'
import { bindWallet } from '../../sdk/wallet.ts'
import { signUnchecked } from '../kit/chain/unchecked.ts'
import type { Stack } from '../kit/stack/stack.ts'
import { until } from '../kit/until.ts'

// Many orders are often waited for at once: each look is a request that the market has to serve.
const POLL_MS = 200
const PATIENCE_MS = 40_000
const WORK = 'Forty-two lines of verse.'

export type Mode = 'contract' | 'custodied'
export const MODES: readonly Mode[] = ['contract', 'custodied']
/** The price of every order that names no other, and what it leaves the seller and the service. */
export const PRICE_MICROS = 20_000_000n
export const SELLER_NET_MICROS = 19_000_000n
export const FEE_MICROS = 1_000_000n

/** An agent of a human of its own, and a key whose address has test USDC and gas. */
export interface Trader {
  agentId: string
  /** The agent's bearer token. */
  token: string
  human: Market
  client: Market
  /** The same agent, speaking the older version of the API. */
  older: Market
  account: PrivateKeyAccount
}

export interface Parties {
  buyer: Trader
  seller: Trader
}

/** What a buyer orders: a new ask of the seller's. */
export interface Wanted {
  mode: Mode
  price?: string
  sla_seconds?: number
  auto_accept_seconds?: number
  sealed?: boolean
  criteria?: { id: string; text: string; check: { kind: 'size'; min_bytes: number } }[]
}

export type Order = Awaited<ReturnType<typeof readOrder>>
/** An order that was answered with a 402. */
export type Placed = Awaited<ReturnType<typeof place>>

const inOlderVersion: typeof fetch = (url, request) =>
  fetch(url, { ...request, headers: { ...request?.headers, 'market-version': '2026-05-05' } })

/** A new human with one agent. Its wallet is verified unless the test says otherwise. */
export async function createTrader(stack: Stack, { isVerified = true } = {}): Promise<Trader> {
  const { baseUrl } = stack
  const operator = createMarket({ baseUrl, token: stack.credentials.operator_token })
  const account = privateKeyToAccount(generatePrivateKey())
  const email = `${account.address.toLowerCase()}@market.invalid`
  const { body: person } = await operator.call('createHuman', { body: { display_name: 'A human', email } })
  const { body: humanToken } = await operator.call('mintToken', {
    body: { owner_urn: person.urn, scopes: ['read', 'transact', 'withdraw', 'manage'] },
  })
  const human = createMarket({ baseUrl, token: humanToken.secret })
  const { body: agent } = await human.call('createAgent', { body: { owner_urn: person.urn, display_name: 'An agent' } })
  const { body: token } = await human.call('mintToken', {
    body: { owner_urn: agent.urn, scopes: ['read', 'transact', 'withdraw'] },
  })
  const client = createMarket({ baseUrl, token: token.secret })
  const older = createMarket({ baseUrl, token: token.secret, fetch: inOlderVersion })
  await client.call('requestSandboxFunds', { body: { address: account.address } })
  if (isVerified) await bindWallet(client, account)
  return { agentId: agent.urn.body, token: token.secret, human, client, older, account }
}

/** A buyer and a seller, of two humans, each with a verified wallet. */
export async function createParties(stack: Stack): Promise<Parties> {
  const [buyer, seller] = await Promise.all([createTrader(stack), createTrader(stack)])
  return { buyer, seller }
}

/** The seller offers work and the buyer orders it. Answers the order's URN and what the 402 asks for. */
export async function place({ buyer, seller }: Parties, wanted: Wanted) {
  const { mode, price = '20.000000', sealed, ...windows } = wanted
  const ask = await seller.client.call('createAsk', {
    body: { title: 'Verse', description: 'Forty-two lines of verse on any subject.', price, ...windows },
  })
  const placed = await buyer.client.call('placeOrder', {
    body: { ask_urn: ask.body.urn, escrow_mode: mode, ...(sealed ? { sealed } : {}) },
  })
  if (placed.status !== 402) throw new Error(`the order was answered ${placed.status}, not 402`)
  const id = placed.body.order_urn.body
  return { id, urn: urnString('order', id), offer: placed.body }
}

/** What a payer signs for an offer, at its price and by the chain's time. */
export async function sign(stack: Stack, offer: PaymentOffer, payer: TypedDataSigner): Promise<SignedAuthorization> {
  const { timestamp } = await stack.chain.client.getBlock()
  return signOffer(offer, payer, marketOf(stack), { price: offer.amount, nowSeconds: Number(timestamp) })
}

/**
 * As `sign`, but of the type that anyone can submit to the token: what a client of another make may sign for
 * the escrow.
 */
export async function signTransferFor(
  { chain }: Stack,
  offer: PaymentOffer,
  payer: TypedDataSigner,
): Promise<SignedAuthorization> {
  return signUnchecked(offer, payer, chain.tokenNames)
}

/** The market as a payer was configured with it. */
export function marketOf({ chain }: Stack): PaymentMarket {
  const { hotWallet, feeRecipient } = chain.accounts
  return { ...chain, tokenName: chain.tokenNames, hotWallet: hotWallet.address, feeRecipient: feeRecipient.address }
}

/**
 * Hands a signed authorization to the service, in an agent's name. Throws an ApiProblem when it is refused.
 */
export async function fund(trader: Trader, urn: string, signed: SignedAuthorization) {
  const body = { signed_authorization: encodeSignedAuthorization(signed) }
  return (await trader.client.call('fundOrder', { params: { urn }, body })).body
}

/** The seller says the work is done. */
export async function deliver(seller: Trader, order: Order): Promise<void> {
  if (!order.thread_urn) throw new Error('the order has no thread yet')
  const payload = { kind: 'delivery', output_hash: sha256Hex(WORK) }
  await seller.client.call('postMessage', {
    body: { thread_urn: order.thread_urn, kind: 'delivery_notice', payload, body: WORK },
  })
}

/** The buyer takes the work. */
export async function accept(buyer: Trader, urn: string) {
  return (await buyer.client.call('acceptOrder', { params: { urn } })).body
}

/** One of the parties calls an order off. */
export async function cancel({ client }: Trader, urn: string) {
  return (await client.call('cancelOrder', { params: { urn }, body: { reason_code: 'other' } })).body
}

/** The order as one of its parties reads it. */
export async function readOrder({ client }: Trader, urn: string) {
  return (await client.call('getOrder', { params: { urn } })).body
}

/** Waits until an order is in a state. */
export function untilOrder(trader: Trader, urn: string, state: Order['state']): Promise<Order> {
  const read = () => readOrder(trader, urn)
  return untilThere(`order ${urn} is ${state}`, read, (order) => order.state === state)
}

/** Waits until the money of an order has moved on. */
export function untilSettled(trader: Trader, urn: string): Promise<Order> {
  const read = () => readOrder(trader, urn)
  return untilThere(`the money of order ${urn} has moved`, read, ({ hold }) => Boolean(hold?.release_tx))
}

/** As `until` of all tests, seldom and for longer: a whole market is at work. */
export function untilThere<Answer>(
  awaited: string,
  ask: () => Promise<Answer>,
  isThere: (answer: Answer) => boolean,
): Promise<Answer> {
  return until(awaited, ask, isThere, { limitMs: PATIENCE_MS, pollMs: POLL_MS })
}
