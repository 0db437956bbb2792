import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { failPayout } from '../../../../api/payouts/fail.ts'
import { submitPayout } from '../../../../api/payouts/submit.ts'
import { stopPayouts } from '../../../../api/stops/stop.ts'
import { sha256Hex } from '../../../../protocol/canonical.ts'
import { urnString } from '../../../../protocol/urn.ts'
import { createAgentKeys, publishAgentKeys } from '../../../../sdk/sealed.ts'
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
  /** Where the path names a human too. */
  human?: string
  body?: unknown
}

/** Who may make a call that names something, and what each other is answered. */
export interface Rule {
  /** What is named, new for each call that may go well, and whose side of it the owner is. */
  name: (world: World) => Promise<Naming>
  owner: 'buyer' | 'seller' | 'buyerHuman' | 'operator'
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

const newOrg = async ({ market, buyer }: World, founder: Trader = buyer) => {
  const body = { slug: `org-${randomUUID().slice(0, 8)}`, display_name: 'Org' }
  const reply = await market.api.send('POST', '/v1/me/orgs', { token: founder.humanToken, body })
  return { urn: urnString('org', reply.body.urn.body) }
}
/** An org of the buyer's human, and somebody who was invited to it. */
const invited = async (world: World) => {
  const { market, buyer } = world
  const { urn } = await newOrg(world)
  const guest = await newTrader(market, { wallet: 'unbound' })
  const human = urnString('human', guest.humanId)
  await market.api.send('POST', `/v1/me/orgs/${urn}/invitations`, {
    token: buyer.humanToken,
    body: { human_urn: human, role: 'member' },
  })
  return { urn, human, guest }
}
const joined = async (world: World) => {
  const { urn, human, guest } = await invited(world)
  await world.market.api.send('POST', `/v1/me/orgs/${urn}/join`, { token: guest.humanToken })
  return { urn, human }
}
const ownExport = async ({ market, buyer }: World) => {
  const token = buyer.humanToken
  await market.api.send('POST', '/v1/me/exports', { token })
  const { body } = await market.api.send('GET', '/v1/me/exports', { token })
  const [newest] = body.exports as { urn: { body: string } }[]
  return { urn: urnString('export', newest?.urn.body ?? '') }
}
const ownPayout = async (world: World) => {
  const { urn } = await deliveredOrder(world)
  await world.market.api.send('POST', `/v1/orders/${urn}/accept`, { token: world.buyer.token })
  const { body } = await world.market.api.send('GET', '/v1/payouts', { token: world.seller.token })
  const [newest] = body.payouts as { urn: { body: string } }[]
  return { urn: urnString('payout', newest?.urn.body ?? '') }
}
/** A refund of the buyer's whose attempts are used up, and the wallet that its buyer is paid to. */
const parkedRefund = async (world: World) => {
  const { api } = world.market
  const { urn, id } = await funded(world.market, await placed(world.buyer, world.seller, 'custodied'))
  await api.send('POST', `/v1/orders/${urn}/cancel`, { token: world.seller.token, body: { reason_code: 'other' } })
  const payouts = api.db.selectFrom('market.payouts').select('id').where('order_id', '=', id)
  const payout = await payouts.executeTakeFirstOrThrow()
  for (const _attempt of [1, 2, 3]) {
    await api.db.transaction().execute((tx) => submitPayout(tx, api.settings, payout.id))
    await api.db.transaction().execute((tx) => failPayout(tx, api.settings, payout.id, 'failed: blacklisted'))
  }
  const { body } = await api.send('GET', '/v1/me/wallets', { token: world.buyer.token })
  const wallets = body.wallets as { urn: { body: string }; is_payout: boolean }[]
  const wallet = wallets.find(({ is_payout }) => is_payout)?.urn.body ?? ''
  return { urn: urnString('payout', payout.id), body: { wallet_urn: urnString('wallet', wallet) } }
}
const newStop = async ({ market: { api } }: World) => {
  const request = { token: api.first.operator_token, body: { reason: 'A look.' } }
  const { body } = await api.send('POST', '/v1/payout-stops', request)
  return { urn: urnString('stop', body.urn.body) }
}

/** A proposal of the seller's, and the digest to accept it by. */
const proposal = async (world: World) => {
  const thread_urn = await threadOf(await deliveredOrder(world))
  const body = { thread_urn, kind: 'scope_change_proposal', payload: { lines: 43 } }
  const reply = await world.market.api.send('POST', '/v1/messages', { token: world.seller.token, body })
  const request = { token: world.buyer.token }
  const { body: page } = await world.market.api.send('GET', `/v1/threads/${thread_urn}/messages`, request)
  const messages = page.messages as { urn: { body: string }; sha256: string }[]
  const urn = String(reply.body.urn)
  return { urn, sha256: messages.find((message) => urn.endsWith(message.urn.body))?.sha256 ?? '' }
}
const upload = async (world: World) => {
  const { market, buyer, seller } = world
  const { urn } = await funded(market, await placed(buyer, seller, 'custodied'))
  const reply = await market.api.send('POST', `/v1/deliveries?order_urn=${urn}&output_hash=${sha256Hex('work')}`, {
    token: seller.token,
    raw: Buffer.from('work'),
    headers: { 'content-type': 'application/octet-stream' },
  })
  return { urn: urnString('delivery', (reply.body.urn ?? (reply.body.delivery_urn as { body: string })).body) }
}

const newBid = async ({ market, buyer }: World) => {
  const body = { ...inFull, max_price: '20.000000' }
  const reply = await market.api.send('POST', '/v1/bids', { token: buyer.token, body })
  return { urn: urnString('bid', reply.body.urn.body) }
}
const quoteOn = async (world: World) => ({
  bid_urn: (await newBid(world)).urn,
  price: '19.000000',
  message: 'I can do that.',
})
const newQuote = async (world: World) => {
  const request = { token: world.seller.token, body: await quoteOn(world) }
  const reply = await world.market.api.send('POST', '/v1/quotes', request)
  return { urn: urnString('quote', reply.body.urn.body) }
}

/** By operation: every one that names something in its path or its body has a rule. */
export const RULES: Readonly<Record<string, Rule>> = {
  getAsk: { name: ownAsk, owner: 'seller', ok: 200, counterparty: ok, stranger: ok },
  listAskVersions: { name: ownAsk, owner: 'seller', ok: 200, counterparty: ok, stranger: ok },
  getAskVersion: { name: ownAsk, owner: 'seller', ok: 200, counterparty: ok, stranger: ok },
  getBid: { name: newBid, owner: 'buyer', ok: 200, counterparty: ok, stranger: ok },
  closeBid: { name: newBid, owner: 'buyer', ok: 200, counterparty: forbidden, stranger: forbidden },
  createQuote: {
    name: async (world) => ({ body: await quoteOn(world) }),
    owner: 'seller',
    ok: 201,
    counterparty: { status: 422, problem: 'quotes/own-bid' },
    stranger: created,
  },
  getQuote: { name: newQuote, owner: 'seller', ok: 200, counterparty: ok },
  withdrawQuote: { name: newQuote, owner: 'seller', ok: 200, counterparty: forbidden },
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
  issueEnrolment: {
    name: async ({ market: { api } }) => {
      const body = { display_name: 'Newcomer', email: 'newcomer@example.com' }
      const made = await api.send('POST', '/v1/accounts/humans', { token: api.first.operator_token, body })
      return { urn: urnString('human', made.body.urn.body) }
    },
    owner: 'operator',
    ok: 201,
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
  getOrg: { name: newOrg, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  renameOrg: {
    name: async (world) => ({ ...(await newOrg(world)), body: { display_name: 'Renamed' } }),
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  deleteOrg: { name: newOrg, owner: 'buyerHuman', ok: 204, counterparty: notFound },
  listOrgMembers: { name: newOrg, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  listOrgInvitations: { name: newOrg, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  inviteOrgMember: {
    name: async (world) => ({
      ...(await newOrg(world)),
      body: { human_urn: urnString('human', world.stranger.humanId), role: 'member' },
    }),
    owner: 'buyerHuman',
    ok: 201,
    counterparty: notFound,
  },
  withdrawOrgInvitation: { name: invited, owner: 'buyerHuman', ok: 204, counterparty: notFound },
  changeOrgRole: {
    name: async (world) => ({ ...(await joined(world)), body: { role: 'admin' } }),
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  removeOrgMember: { name: joined, owner: 'buyerHuman', ok: 204, counterparty: notFound },
  joinOrg: {
    name: async (world) => {
      const { market, buyer, seller } = world
      const { urn } = await newOrg(world, seller)
      const body = { human_urn: urnString('human', buyer.humanId), role: 'member' }
      await market.api.send('POST', `/v1/me/orgs/${urn}/invitations`, { token: seller.humanToken, body })
      return { urn }
    },
    owner: 'buyerHuman',
    ok: 200,
    counterparty: notFound,
  },
  getExport: { name: ownExport, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  downloadExport: { name: ownExport, owner: 'buyerHuman', ok: 409, counterparty: notFound },
  getPayout: { name: ownPayout, owner: 'seller', ok: 200, counterparty: notFound },
  reopenPayout: { name: parkedRefund, owner: 'buyerHuman', ok: 200, counterparty: notFound },
  liftPayoutStop: {
    name: newStop,
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  explainPayoutStop: {
    name: async ({ market: { api } }) => {
      const unexplained = { actor: 'service', reason: 'It left.', fact: `outflow:${randomUUID()}` }
      const stop = await api.db.transaction().execute((tx) => stopPayouts(tx, unexplained))
      return { urn: urnString('stop', stop?.id ?? ''), body: { explanation: 'A key was stolen.' } }
    },
    owner: 'operator',
    ok: 200,
    counterparty: forbidden,
    stranger: forbidden,
    nothing: forbidden,
  },
  getThread: {
    name: async (world) => ({ urn: await threadOf(await deliveredOrder(world)) }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
  },
  verifyReceipt: {
    name: async (world) => ({ urn: await receiptOf(world) }),
    owner: 'buyer',
    ok: 200,
    counterparty: ok,
    stranger: ok,
  },
  discloseMessage: {
    name: async (world) => ({ ...(await proposal(world)), body: { key: 'A'.repeat(43) } }),
    owner: 'buyer',
    ok: 422,
    counterparty: { status: 422 },
  },
  acceptMessage: {
    name: async (world) => {
      const { urn, sha256 } = await proposal(world)
      return { urn, body: { sha256 } }
    },
    owner: 'buyer',
    ok: 200,
    counterparty: forbidden,
  },
  getDelivery: { name: upload, owner: 'buyer', ok: 200, counterparty: ok },
  getAgentKeys: {
    name: async ({ seller }) => ({ urn: urnString('agent', seller.agentId) }),
    owner: 'seller',
    ok: 200,
    counterparty: ok,
    stranger: ok,
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
  const keys = await createAgentKeys(urnString('agent', seller.agentId))
  await publishAgentKeys(seller.client, keys, seller.wallet, `eip155:${market.api.settings.chain.chainId}`)
  return { market, buyer, seller, stranger, ended }
}
