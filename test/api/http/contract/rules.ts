import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { urnString } from '../../../../protocol/urn.ts'
import { bindWallet } from '../../../../sdk/wallet.ts'
import { signUp } from '../../passkeys/browser.ts'
import {
  delivered,
  funded,
  newAsk,
  newTrader,
  placed,
  read,
  signed,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../trading.ts'

/** A market with two who trade and one who does not, each an agent with an owner of its own. */
export interface World {
  market: TestMarket
  buyer: Trader
  seller: Trader
  stranger: Trader
  /** An agent that its human has ended, with the token it had. */
  ended: Trader
}

/** A call that names something: the path's URN, or the members of the body. */
export interface Naming {
  urn?: string
  body?: unknown
}

/** Who may make a call that names something, and what each other is answered. */
export interface Rule {
  /** What is named, new for each call that may go well, and whose side of it the owner is. */
  name: (world: World) => Promise<Naming>
  owner: 'buyer' | 'seller' | 'buyerHuman'
  /** What its owner is answered when all is well. */
  ok: number
  /** What the other party is answered: a status, and its problem where it is one. */
  counterparty: Answered
  /** Where somebody else's is not the uniform 404. */
  stranger?: Answered
  /** Where a name of nothing is not the uniform 404: it is no secret that it is not the caller's. */
  nothing?: Answered
  version?: string
}

export interface Answered {
  status: number
  problem?: string
}

const ok = { status: 200 }
const created = { status: 201 }
const forbidden = { status: 403, problem: 'auth/forbidden' }
const notFound = { status: 404, problem: 'resource/not-found' }
const conflict = { status: 409, problem: 'orders/state-conflict' }
const inFull = { title: 'Verse', description: 'Forty-two lines.' }

const deliveredOrder = async ({ market, buyer, seller }: World) =>
  delivered(market, await placed(buyer, seller, 'custodied'))
const placedOrder = async ({ buyer, seller }: World) => ({ urn: (await placed(buyer, seller, 'custodied')).urn })
const ownAsk = async ({ seller }: World) => ({ urn: urnString('ask', (await newAsk(seller)).body) })
const receiptOf = async (world: World) => {
  const { receipt_urn } = await read(await deliveredOrder(world))
  return urnString('receipt', receipt_urn?.body ?? '')
}
const ownToken = async ({ market, buyer }: World) => {
  const owner_urn = urnString('agent', buyer.agentId)
  const body = { owner_urn, scopes: ['read', 'transact', 'manage'] }
  const reply = await market.api.send('POST', '/v1/me/tokens', { token: buyer.humanToken, body })
  return { urn: urnString('token', reply.body.urn.body) }
}

const freshAgent = async ({ market, buyer }: World) => {
  const { agentId } = await newTrader(market, { wallet: 'unbound', owner: buyer })
  return { urn: urnString('agent', agentId) }
}
const newWallet = async ({ market, buyer }: World) => {
  await bindWallet(buyer.client, privateKeyToAccount(generatePrivateKey()))
  const { body } = await market.api.send('GET', '/v1/me/wallets', { token: buyer.token })
  const [newest] = body.wallets as { urn: { body: string } }[]
  return { urn: urnString('wallet', newest?.urn.body ?? '') }
}
/** Somebody signs up with a passkey, and it becomes the buyer's. */
const signedUp = async ({ market: { api }, buyer }: World) => {
  const { id } = await signUp(api)
  const { rows } = await sql<{ passkey: string; session: string }>`
    with moved as (update market.passkeys set human_id = ${buyer.humanId} where human_id = ${id} returning id),
      session as (update market.sessions set human_id = ${buyer.humanId} where human_id = ${id} returning id)
    select moved.id as passkey, session.id as session from moved, session`.execute(api.db)
  const [row] = rows
  if (!row) throw new Error('nobody has signed up')
  return { passkey: urnString('passkey', row.passkey), session: urnString('session', row.session) }
}

/** By operation: every one that names something in its path or its body has a rule. */
export const RULES: Readonly<Record<string, Rule>> = {
  getAsk: { name: ownAsk, owner: 'seller', ok: 200, counterparty: ok, stranger: ok },
  reviseAsk: {
    name: async (world) => ({ ...(await ownAsk(world)), body: inFull }),
    owner: 'seller',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
  },
  placeOrder: {
    name: async (world) => ({ body: { ask_urn: (await ownAsk(world)).urn } }),
    owner: 'buyer',
    ok: 402,
    counterparty: { status: 422, problem: 'orders/own-ask' },
    stranger: { status: 402 },
  },
  getOrder: { name: placedOrder, owner: 'buyer', ok: 200, counterparty: ok },
  fundOrder: {
    name: async ({ market, buyer, seller }) => {
      const order = await placed(buyer, seller, 'custodied')
      return { urn: order.urn, body: { signed_authorization: await signed(market, order) } }
    },
    owner: 'buyer',
    ok: 202,
    counterparty: forbidden,
  },
  acceptOrder: {
    name: async (world) => ({ urn: (await deliveredOrder(world)).urn }),
    owner: 'buyer',
    ok: 200,
    counterparty: forbidden,
  },
  cancelOrder: {
    name: async (world) => ({
      urn: (await funded(world.market, await placed(world.buyer, world.seller, 'custodied'))).urn,
      body: { reason_code: 'other' },
    }),
    owner: 'seller',
    ok: 200,
    counterparty: conflict,
  },
  listMessages: {
    name: async (world) => ({ urn: await threadOf(await deliveredOrder(world)) }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
  },
  postMessage: {
    name: async (world) => ({
      body: { thread_urn: await threadOf(await deliveredOrder(world)), kind: 'text', body: 'x' },
    }),
    owner: 'buyer',
    ok: 201,
    counterparty: created,
  },
  getReceipt: {
    name: async (world) => ({ urn: await receiptOf(world) }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
    stranger: ok,
  },
  signReceipt: {
    name: async (world) => ({ urn: await receiptOf(world), body: { accept: true } }),
    owner: 'buyer',
    ok: 200,
    counterparty: forbidden,
    version: '2026-05-05',
  },
  rotateToken: { name: ownToken, owner: 'buyer', ok: 201, counterparty: notFound },
  revokeToken: { name: ownToken, owner: 'buyer', ok: 204, counterparty: notFound },
  deactivateAgent: { name: freshAgent, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  issueTicket: {
    name: async (world) => ({ ...(await freshAgent(world)), body: { scopes: ['read'] } }),
    owner: 'buyerHuman',
    ok: 201,
    counterparty: notFound,
  },
  revokeTicket: {
    name: async (world) => {
      const { urn } = await freshAgent(world)
      const request = { token: world.buyer.humanToken, body: { scopes: ['read'] } }
      const { body } = await world.market.api.send('POST', `/v1/me/agents/${urn}/tickets`, request)
      return { urn: urnString('ticket', body.urn.body) }
    },
    owner: 'buyerHuman',
    ok: 204,
    counterparty: notFound,
  },
  choosePayoutWallet: { name: newWallet, owner: 'buyer', ok: 200, counterparty: notFound },
  removeWallet: { name: newWallet, owner: 'buyer', ok: 204, counterparty: notFound },
  renamePasskey: {
    name: async (world) => ({ urn: (await signedUp(world)).passkey, body: { name: 'Key' } }),
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  removePasskey: {
    name: async (world) => {
      await signedUp(world)
      return { urn: (await signedUp(world)).passkey }
    },
    owner: 'buyerHuman',
    ok: 204,
    counterparty: notFound,
  },
  revokeSession: {
    name: async (world) => ({ urn: (await signedUp(world)).session }),
    owner: 'buyerHuman',
    ok: 204,
    counterparty: notFound,
  },
  mintToken: {
    name: async ({ buyer }) => ({ body: { owner_urn: urnString('agent', buyer.agentId), scopes: ['read'] } }),
    owner: 'buyerHuman',
    ok: 201,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  createAgent: {
    name: async ({ buyer }) => ({ body: { owner_urn: urnString('human', buyer.humanId), display_name: 'Agent' } }),
    owner: 'buyerHuman',
    ok: 201,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
}

/** The world of the matrix. */
export async function furnish(market: TestMarket): Promise<World> {
  const [buyer, seller, stranger] = [await newTrader(market), await newTrader(market), await newTrader(market)]
  const ended = await newTrader(market, { wallet: 'unbound' })
  const path = `/v1/me/agents/${urnString('agent', ended.agentId)}/deactivate`
  await market.api.send('POST', path, { token: ended.humanToken })
  return { market, buyer, seller, stranger, ended }
}
