import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { rulesFor } from '../../../../../api/config/rules.ts'
import { webSettings } from '../../../../../api/config/web.ts'
import type { AgentCall, ChainSettings, Settings } from '../../../../../api/context.ts'
import { createHuman } from '../../../../../api/identity/accounts/createHuman.ts'
import { createAgent } from '../../../../../api/identity/accounts/internal/createAgent.ts'
import { eventTypes, noticeKinds } from '../../../../../api/modules.ts'
import type { ChainEvent } from '../../../../../api/payments/chain/evidence.ts'
import { applyChainEvent } from '../../../../../api/payments/settlement/internal/applyChainEvent.ts'
import type { EscrowMode, OrderState } from '../../../../../api/platform/db/generated/tables.ts'
import { type Db, openPool, type Tx } from '../../../../../api/platform/db/pool.ts'
import { reactions } from '../../../../../api/reactions.ts'
import { installSandboxClock } from '../../../../../api/sandbox/install.ts'
import { createAsk } from '../../../../../api/trading/asks/internal/create.ts'
import { placeOrder } from '../../../../../api/trading/orders/placement/place.ts'
import type { OrderRow } from '../../../../../api/trading/orders/record/find.ts'
import type { RoleUrls } from '../../../../../cli/stack/postgres/roleLogins.ts'
import { startDatabase, type TestDatabase } from '../../../stack/database.ts'
import { knowChain } from '../../../stack/fence.ts'
import { installTwins } from '../../platform/twins.ts'

export const PRICE = 20_000_000n

/**
 * A database of a test's own with verbs to act on it; no chain and no HTTP: the test says what the chain has
 * done.
 */
export interface World {
  /** As the owner: for a test's own pokes. */
  db: Db
  /** As the role of the worker, which may what the API's may. */
  serviceDb: Db
  databaseUrl: string
  roleUrls: RoleUrls
  settings: Settings
  /** Runs a verb in a transaction. */
  run: <Answer>(verb: (tx: Tx) => Promise<Answer>) => Promise<Answer>
  /** Tells the market what the chain has done, as settle does after it has checked it. */
  settle: (event: ChainEvent) => Promise<boolean>
  stop: () => Promise<void>
}

/** One side of a trade. */
export interface Party {
  humanId: string
  agentId: string
  call: AgentCall
}

/** Starts a world, at addresses that nothing is at unless told which. */
export async function startWorld(chain?: ChainSettings): Promise<World> {
  const database = await startDatabase()
  await installSandboxClock(database.url)
  const world = openWorld(database, chain)
  await sql`insert into facilitator.heartbeat (beat_at) values (clock_timestamp() + interval '1 hour')`.execute(
    world.db,
  )
  await knowChain(world.db)
  await installTwins(world.db)
  return world
}

/** The same on a database that has a history. */
export function openWorld(database: Pick<TestDatabase, 'url' | 'roleUrls' | 'stop'>, chain?: ChainSettings): World {
  const db = openPool(database.url, { max: 10, onError: () => {} })
  const serviceDb = openPool(database.roleUrls.worker, { max: 10, onError: () => {} })
  const settings = { ...testSettings(), ...(chain ? { chain } : {}) }
  return {
    db,
    serviceDb,
    databaseUrl: database.url,
    roleUrls: database.roleUrls,
    settings,
    run: (verb) => serviceDb.transaction().execute(verb),
    settle: (event) => serviceDb.transaction().execute((tx) => applyChainEvent(tx, settings, event)),
    stop: async () => {
      await Promise.all([db.destroy(), serviceDb.destroy()])
      await database.stop()
      await rm(settings.blobDirectory, { recursive: true, force: true })
    },
  }
}

export function testSettings(): Settings {
  return {
    baseUrl: 'http://127.0.0.1',
    filesUrl: 'http://127.0.0.1',
    sandbox: true,
    web: webSettings('http://127.0.0.1'),
    chain: {
      chainId: 31337,
      escrow: newAddress(),
      token: newAddress(),
      hotWallet: newAddress(),
      feeRecipient: newAddress(),
      startBlock: 0n,
      confirmations: 2,
      walletFactories: [],
    },
    rules: rulesFor(true),
    signingKey: 'a1'.repeat(32),
    webhooks: { allowsLocal: true },
    secretKey: 'b2'.repeat(32),
    blobDirectory: join(tmpdir(), `market-blobs-${randomUUID()}`),
    reactions,
    eventTypes,
    noticeKinds,
  }
}

/** An agent and its owner. */
export async function newParty(world: World): Promise<Party> {
  return world.run(async (tx) => {
    const human = {
      displayName: 'Owner',
      email: `${randomUUID()}@example.com`,
      role: 'member',
      createdBy: null,
    } as const
    const humanId = (await createHuman(tx, world.settings, human)).urn.body
    const flags = { isHuman: false, isOperator: false, isDeactivated: false, isRotated: false }
    const token = { tokenId: randomUUID(), expiresAt: null, session: null, scopes: [] }
    const owner = { humanId, agentId: null, ...token, ...flags }
    const agent = await createAgent(
      tx,
      { actor: owner, settings: world.settings },
      { ownerId: humanId, displayName: 'Agent', description: '' },
    )
    const agentId = agent.urn.body
    const call = { actor: { ...owner, agentId }, settings: world.settings, requestId: randomUUID() }
    return { humanId, agentId, call }
  })
}

/**
 * Makes the token that a party acts by, with a limit of what it may pay in a day. Returns what it has paid
 * each day.
 */
export async function giveToken({ db }: World, { humanId, agentId, call }: Party, perDayMicros: bigint | null = null) {
  const { tokenId: id } = call.actor
  const account = { human_id: humanId, agent_id: agentId, secret_hash: Buffer.from(id), scopes: [] }
  const limit = { per_order_micros: null, per_day_micros: perDayMicros }
  await db
    .insertInto('market.tokens')
    .values({ id, ...account, ...limit })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(limit))
    .execute()
  const own = db.selectFrom('market.tokens').select('spending_id').where('id', '=', id)
  const days = db.selectFrom('market.token_spending').select('committed_micros').where('spending_id', 'in', own)
  return async () => (await days.orderBy('day').execute()).map(({ committed_micros: micros }) => micros)
}

/** Binds a wallet to a party's agent, without the ceremony. Answers its address. */
export async function bindWallet(tx: Tx, party: Party, address = newAddress()): Promise<Address> {
  await tx.insertInto('market.wallet_owners').values({ address, owner_id: party.humanId }).execute()
  const wallet = { account_id: party.agentId, owner_id: party.humanId, address, message: 'I am', signature: '0x01' }
  await tx
    .insertInto('market.wallets')
    .values({ id: randomUUID(), ...wallet, payout_from: new Date(0) })
    .execute()
  return address
}

/** A trade: a placed order, its parties, and the wallet its buyer will pay from. */
export interface Trade {
  orderId: string
  order: OrderRow
  buyer: Party
  seller: Party
  payer: Address
}

export interface TradeOptions {
  /** The seller has a wallet to be paid to. */
  sellerWallet?: boolean
  /** What the market knows of the payer: a wallet of the buyer's, an authorization on file, or nothing. */
  payer?: 'wallet' | 'authorization' | 'unknown'
  /** The wallet that pays; one of nobody's unless told which. */
  from?: Address
}

export async function newTrade(world: World, mode: EscrowMode, options: TradeOptions = {}): Promise<Trade> {
  const [buyer, seller] = [await newParty(world), await newParty(world)]
  const payer = (options.from?.toLowerCase() as Address | undefined) ?? newAddress()
  const order = await world.run(async (tx) => {
    if (options.sellerWallet !== false) await bindWallet(tx, seller)
    if (options.payer === 'wallet') await bindWallet(tx, buyer, payer)
    const ask = await createAsk(tx, seller.call, { title: 'Verse', description: 'Forty-two lines.', price: PRICE })
    const placed = await placeOrder(tx, buyer.call, { subject: { askId: ask.id, askVersion: undefined }, mode })
    if ((options.payer ?? 'authorization') === 'authorization') await putOnFile(tx, placed, payer)
    return placed
  })
  return { orderId: order.id, order, buyer, seller, payer }
}

/** Puts an authorization on file, as an accepted fund call does. */
export async function putOnFile(tx: Tx, order: OrderRow, payer: Address, nonce = order.nonce): Promise<void> {
  await tx
    .insertInto('market.authorizations')
    .values({
      id: randomUUID(),
      order_id: order.id,
      state: 'pending',
      payer,
      nonce,
      amount_micros: order.price_micros,
      valid_after: order.valid_after,
      valid_before: order.valid_before,
      signature: '0x01',
    })
    .execute()
}

/** Puts an order into a state its other verbs would have brought it to. */
export async function setState(world: World, { orderId }: Trade, state: OrderState): Promise<void> {
  await world.db.updateTable('market.orders').set({ state }).where('id', '=', orderId).execute()
}

export function newAddress(): Address {
  return privateKeyToAddress(generatePrivateKey()).toLowerCase() as Address
}

export function newHash(): Hex {
  return generatePrivateKey()
}
