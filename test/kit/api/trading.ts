import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createHuman } from '../../../api/identity/accounts/createHuman.ts'
import { issueToken } from '../../../api/identity/tokens/mint.ts'
import { NO_LIMIT } from '../../../api/identity/tokens/spendLimit.ts'
import type { ChainEvent } from '../../../api/payments/chain/evidence.ts'
import { holdTerms } from '../../../api/payments/escrow/terms.ts'
import { applyChainEvent } from '../../../api/payments/settlement/internal/applyChainEvent.ts'
import type { Scope } from '../../../api/platform/db/generated/tables.ts'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { type UrnObject, urnString } from '../../../protocol/encoding/urn.ts'
import { holdId } from '../../../protocol/payments/terms.ts'
import { createMarket, type Market } from '../../../sdk/market.ts'
import type { PaymentOffer } from '../../../sdk/offer.ts'
import { bindWallet } from '../../../sdk/wallet.ts'
import { startChain, type TestChain } from '../chain/node.ts'
import { uncheckedAuthorization } from '../chain/unchecked.ts'
import { type Api, type ApiOptions, startApi } from './platform/http/api.ts'

const ALL_SCOPES: readonly Scope[] = ['read', 'transact', 'withdraw', 'manage']

/**
 * The API over a database and a chain of a test's own. Nothing settles by itself: the test says what the
 * chain has done.
 */
export interface TestMarket {
  api: Api
  chain: TestChain
  stop: () => Promise<void>
}

/** Starts a market whose facilitator says it is alive, and whose clock can be moved. */
export async function startMarket(options: Pick<ApiOptions, 'log' | 'rules'> = {}): Promise<TestMarket> {
  const chain = await startChain()
  const api = await startApi({ chain, ...options })
  await heartbeat(api)
  const stop = async () => {
    try {
      await api.stop()
    } finally {
      await chain.stop()
    }
  }
  return { api, chain, stop }
}

/** Starts a market with two who trade and one who does not. */
export async function startTrading() {
  const market = await startMarket()
  const [buyer, seller, stranger] = [await newTrader(market), await newTrader(market), await newTrader(market)]
  return { market, buyer, seller, stranger }
}

/** What the facilitator writes every few seconds: it is alive, for as long as the test may take. */
export async function heartbeat(api: Api, ageSeconds = -3600): Promise<void> {
  await sql`insert into facilitator.heartbeat (beat_at) values (clock_timestamp() - make_interval(secs => ${ageSeconds}))
    on conflict (singleton) do update set beat_at = excluded.beat_at`.execute(api.db)
}

/** Moves the market's clock. */
export async function passTime(api: Api, seconds: number): Promise<void> {
  await sql`update sandbox.clock set shift = shift + make_interval(secs => ${seconds})`.execute(api.db)
}

/** An agent with an owner and a wallet of its own. */
export interface Trader {
  agentId: string
  humanId: string
  humanToken: string
  token: string
  client: Market
  wallet: PrivateKeyAccount
}

/** A human, and its token. */
export type Owner = Pick<Trader, 'humanId' | 'humanToken'>

/**
 * Makes an agent, with an owner of its own unless told whose it is, and binds its wallet unless told not to.
 */
export async function newTrader(
  { api }: Pick<TestMarket, 'api'>,
  options: { wallet?: 'bound' | 'unbound'; scopes?: readonly Scope[]; owner?: Owner } = {},
): Promise<Trader> {
  const owner = options.owner ?? (await newOwner(api))
  const human = createMarket({ baseUrl: api.baseUrl, token: owner.humanToken })
  const owner_urn = urnString('human', owner.humanId)
  const agent = await human.call('createAgent', { body: { owner_urn, display_name: 'Agent', description: '' } })
  const scopes = [...(options.scopes ?? ALL_SCOPES)]
  const { body } = await human.call('mintToken', { body: { owner_urn: agent.body.urn, scopes } })
  const trader = {
    agentId: agent.body.urn.body,
    humanId: owner.humanId,
    humanToken: owner.humanToken,
    token: body.secret,
    client: createMarket({ baseUrl: api.baseUrl, token: body.secret }),
    wallet: privateKeyToAccount(generatePrivateKey()),
  }
  if (options.wallet !== 'unbound') await bindWallet(trader.client, trader.wallet)
  return trader
}

/** A human whom another one has created. */
export async function createdBy({ api }: Pick<TestMarket, 'api'>, creator: Owner): Promise<Owner> {
  const client = createMarket({ baseUrl: api.baseUrl, token: creator.humanToken })
  const email = `${randomUUID()}@example.com`
  const { body: human } = await client.call('createHuman', { body: { display_name: 'Other', email } })
  const { body } = await client.call('mintToken', { body: { owner_urn: human.urn, scopes: [...ALL_SCOPES] } })
  return { humanId: human.urn.body, humanToken: body.secret }
}

async function newOwner(api: Api) {
  return api.db.transaction().execute(async (tx) => {
    const owner = {
      displayName: 'Owner',
      email: `${randomUUID()}@example.com`,
      role: 'member' as const,
      createdBy: null,
    }
    const { urn } = await createHuman(tx, api.settings, owner)
    const grant = { humanId: urn.body, agentId: null, scopes: ALL_SCOPES, expiresAt: null, spendLimit: NO_LIMIT }
    return { humanId: urn.body, humanToken: (await issueToken(tx, urn.body, grant)).secret }
  })
}

/** Where the money of an order is held. */
export type Mode = 'custodied' | 'contract'

/** An ask of the seller's. */
export async function newAsk(seller: Trader, terms: Record<string, unknown> = {}): Promise<UrnObject> {
  const body = { title: 'Verse', description: 'Forty-two lines of verse.', price: '20.000000', ...terms }
  return (await seller.client.call('createAsk', { body })).body.urn
}

/** An order as it was placed: its id, and what its payer is to sign. */
export interface PlacedOrder {
  id: string
  urn: string
  buyer: Trader
  seller: Trader
  offer: PaymentOffer
}

/** Places an order on a new ask of the seller's. */
export async function placed(
  buyer: Trader,
  seller: Trader,
  mode: Mode,
  terms: Record<string, unknown> = {},
  how: { sealed?: boolean } = {},
): Promise<PlacedOrder> {
  const ask_urn = await newAsk(seller, terms)
  const answer = await buyer.client.call('placeOrder', { body: { ask_urn, escrow_mode: mode, ...how } })
  if (answer.status !== 402) throw new Error(`the order was answered ${answer.status}, not 402`)
  const { body: id } = answer.body.order_urn
  return { id, urn: urnString('order', id), buyer, seller, offer: answer.body }
}

/** What the buyer signs for an order, encoded for the fund call. */
export function signed(market: TestMarket, order: PlacedOrder, changes: Partial<PaymentOffer> = {}): Promise<string> {
  return uncheckedAuthorization({ ...order.offer, ...changes }, order.buyer.wallet, market.chain.tokenNames)
}

/** Has the buyer pay: the authorization is handed over. */
export async function paid(market: TestMarket, order: PlacedOrder): Promise<PlacedOrder> {
  const signed_authorization = await signed(market, order)
  await order.buyer.client.call('fundOrder', { params: { urn: order.urn }, body: { signed_authorization } })
  return order
}

/** Has the buyer pay, and tells the market what it would see on chain once the payment is confirmed. */
export async function funded(market: TestMarket, order: PlacedOrder): Promise<PlacedOrder> {
  await paid(market, order)
  await confirmPayment(market, order)
  return order
}

/** Tells the market, in the settler's words, that the order's payment is confirmed. */
export async function confirmPayment({ api }: TestMarket, order: PlacedOrder): Promise<void> {
  const { settings } = api
  const place = { blockNumber: 1n, blockHash: randomHash(), txHash: randomHash(), logIndex: 1 }
  const row = await api.db.selectFrom('market.orders').selectAll().where('id', '=', order.id).executeTakeFirstOrThrow()
  const payer = order.buyer.wallet.address.toLowerCase() as Address
  const nonce = row.nonce as Hex
  const fact: ChainEvent =
    row.escrow_mode === 'contract'
      ? { kind: 'funded', place, holdId: holdId(nonce, payer), payer, terms: holdTerms(row), nonce, adopted: false }
      : {
          kind: 'payment',
          place,
          from: payer,
          to: row.recipient as Address,
          amountMicros: row.price_micros,
          nonce,
          holdId: null,
        }
  await api.workerDb.transaction().execute((tx) => applyChainEvent(tx, settings, fact))
}

/** Has the seller deliver a funded order. */
export async function delivered(market: TestMarket, order: PlacedOrder): Promise<PlacedOrder> {
  await funded(market, order)
  await deliver(order)
  return order
}

/** Posts the seller's delivery notice. */
export async function deliver(order: PlacedOrder): Promise<void> {
  const payload = { kind: 'delivery', output_hash: sha256Hex('the work') }
  const thread_urn = await threadOf(order)
  await order.seller.client.call('postMessage', { body: { thread_urn, kind: 'delivery_notice', payload } })
}

/** The order as the seller reads it. */
export async function read(order: PlacedOrder) {
  return (await order.seller.client.call('getOrder', { params: { urn: order.urn } })).body
}

/** The URN of an order's thread, as text. */
export async function threadOf(order: PlacedOrder): Promise<string> {
  const { thread_urn: thread } = await read(order)
  if (!thread) throw new Error('the order has no thread yet')
  return urnString('thread', thread.body)
}

/**
 * Everything the market has written, table by table, to see that a refusal changed nothing: but for the hour
 * a token was last used in, which is written down whatever it was used for.
 */
export async function everything({ api }: Pick<TestMarket, 'api'>): Promise<unknown> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('market', 'ledger') order by 1`.execute(api.db)
  const dumps = tables.map(({ name }) => {
    const row = sql`(to_jsonb(row) - 'last_used_at')::text`
    // As one text: to read an array of thousands of rows takes the driver longer than the rest of a test.
    const rows = sql`select string_agg(${row}, E'\\n' order by ${row}) from ${sql.raw(name)} row`
    return sql`select ${name}::text as name, (${rows}) as rows`
  })
  return (await sql`${sql.join(dumps, sql` union all `)} order by name`.execute(api.db)).rows
}

/** Thirty-two bytes that are nobody's. */
export function randomHash(): Hex {
  return generatePrivateKey()
}
