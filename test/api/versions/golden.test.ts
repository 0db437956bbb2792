import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { servedRoutes } from '../../../api/app.ts'
import { MARKET_VERSIONS, type MarketVersion } from '../../../api/platform/http/route/versions.ts'
import { adapters } from '../../../api/versions/2026-05-05.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Reply } from '../../kit/api/platform/http/api.ts'
import {
  delivered,
  newTrader,
  placed,
  read,
  startMarket,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../kit/api/trading.ts'

const FILE = new URL('./golden.json', import.meta.url)
// To be set once where an answer is meant to change, and the difference to be read before it is kept.
const REWRITES = process.env.GOLDEN === 'write'

interface World {
  market: TestMarket
  buyer: Trader
  seller: Trader
}

interface Call {
  path: string
  token: string
  body?: unknown
}

/** The call of each operation that is not the same in every version. */
const CALLS: Record<string, (world: World) => Promise<Call>> = {
  postMessage: async ({ market, buyer, seller }) => ({
    path: '/v1/messages',
    token: buyer.token,
    body: {
      thread_urn: await threadOf(await delivered(market, await placed(buyer, seller, 'custodied'))),
      kind: 'text',
      payload: { metre: 'iambic' },
      body: 'Thank you.',
    },
  }),
  rotateOwnToken: async ({ market }) => {
    const { token } = await newTrader(market, { wallet: 'unbound' })
    return { path: '/v1/me/tokens/rotate', token }
  },
  rotateToken: async ({ market }) => {
    const { token } = await newTrader(market, { wallet: 'unbound' })
    const { body } = await market.api.send('GET', '/v1/me', { token })
    const { body: id } = body.token_urn as { body: string }
    return { path: `/v1/me/tokens/${urnString('token', id)}/rotate`, token }
  },
  acceptOrder: async ({ market, buyer, seller }) => {
    const { urn } = await delivered(market, await placed(buyer, seller, 'custodied'))
    return { path: `/v1/orders/${urn}/accept`, token: buyer.token }
  },
  rejectOrder: async ({ market, buyer, seller }) => {
    const { urn } = await delivered(market, await placed(buyer, seller, 'custodied'))
    return { path: `/v1/orders/${urn}/reject`, token: buyer.token, body: { reason: 'Two lines are missing.' } }
  },
  signReceipt: async ({ market, buyer, seller }) => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const { receipt_urn } = await read(order)
    const path = `/v1/receipts/${urnString('receipt', receipt_urn?.body ?? '')}/sign`
    return { path, token: buyer.token, body: { accept: true, reason: '' } }
  },
  changeMe: async ({ buyer }) => ({
    ...{ path: '/v1/me', token: buyer.humanToken },
    body: { display_name: 'Ada King', email: 'king@example.com' },
  }),
  changeAgent: async ({ seller }) => ({
    ...{ path: `/v1/me/agents/${urnString('agent', seller.agentId)}`, token: seller.humanToken },
    body: { display_name: 'Scout', description: 'Works.' },
  }),
  createWebhook: async ({ buyer }) => ({ path: '/v1/webhooks', token: buyer.token, body: HOOK }),
  updateWebhook: async (world) => ({
    ...{ path: `/v1/webhooks/${(await newHook(world)).urn}`, token: world.buyer.token },
    body: { event_types: HOOK.event_types },
  }),
  recoverWebhook: async (world) => ({
    ...{ path: `/v1/webhooks/${(await newHook(world)).urn}/recover`, token: world.buyer.token },
    body: { since: '2026-01-01T00:00:00Z' },
  }),
  replayWebhookDelivery: async (world) => {
    const { urn, id } = await newHook(world)
    return { path: `/v1/webhooks/${urn}/deliveries/${id}/replay`, token: world.buyer.token }
  },
}

// The pattern is of the current version alone.
const HOOK = { url: 'https://example.com/hook', event_types: ['order.*'] }

/** A webhook with a delivery that was given up. */
async function newHook({ market: { api }, buyer }: World) {
  await api.db.deleteFrom('market.webhook_subscriptions').execute()
  const { body } = await api.send('POST', '/v1/webhooks', { token: buyer.token, body: HOOK })
  const { body: subscription_id } = (body.subscription as { urn: { body: string } }).urn
  const given = { subscription_id, event_id: randomUUID(), event_type: 'order.funded', body: '{}' }
  const { id } = await api.db
    .insertInto('market.webhook_deliveries')
    .values({ ...given, status: 'dead_letter', next_attempt_at: null, finished_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { urn: urnString('webhook', subscription_id), id }
}

/** Operations that exist in one version alone, or are adapted to one. */
const DIFFERING = servedRoutes
  .filter(({ operationId, versions }) => versions !== undefined || operationId in adapters)
  .map(({ operationId }) => operationId)

describe('what differs between the dated versions', () => {
  let world: World
  const golden: Record<string, unknown> = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
  before(async () => {
    const market = await startMarket()
    world = { market, buyer: await newTrader(market), seller: await newTrader(market) }
  })
  after(async () => {
    await world.market.stop()
    if (REWRITES) writeFileSync(FILE, `${JSON.stringify(golden, null, 2)}\n`)
  })

  it('is held by a fixture, operation by operation [spec 2.1:6 9:2]', () => {
    expect(Object.keys(CALLS).sort()).to.deep.equal([...DIFFERING].sort())
  })

  for (const [operationId, prepare] of Object.entries(CALLS)) {
    for (const version of MARKET_VERSIONS) {
      it(`${operationId} in ${version} answers as it always has [spec 2.1:1 2.2:4 2.3:3 2.5:6 2.9:12 9:5]`, async () => {
        const answer = shapeOf(await send(world, operationId, await prepare(world), version))
        const name = `${operationId} ${version}`
        if (REWRITES) golden[name] = answer
        expect(answer).to.deep.equal(golden[name])
      })
    }
  }
})

async function send({ market }: World, operationId: string, call: Call, version: MarketVersion): Promise<Reply> {
  const { path, ...request } = call
  const method = servedRoutes.find((route) => route.operationId === operationId)?.method.toUpperCase() ?? ''
  return market.api.send(method, path, { ...request, headers: { 'market-version': version } })
}

/** An answer without what differs from run to run: the n-th id is `id-n`. */
function shapeOf({ status, headers, body }: Reply): unknown {
  const ids: string[] = []
  const text = JSON.stringify(body)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id)
      return `id-${ids.indexOf(id) + 1}`
    })
    .replaceAll(/(market_pat|whsec)_[\w+/=-]+/g, 'secret')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/0x[0-9a-fA-F]{40,}/g, 'hex')
    .replaceAll(/[0-9a-f]{64}/g, 'digest')
  const [version, type] = ['market-version', 'content-type'].map((name) => headers.get(name))
  return { status, version, type, body: JSON.parse(text) }
}
