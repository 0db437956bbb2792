import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { ORDER_ACTIONS, type OrderAction } from '../../../api/trading/orders/record/guards.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import {
  deliver,
  delivered,
  everything,
  funded,
  newTrader,
  type PlacedOrder,
  paid,
  passTime,
  placed,
  read,
  signed,
  startMarket,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../kit/api/trading.ts'

/**
 * What a party can ask of an order, in every state an order can be brought to. 2xx, or the problem's status.
 */
const ACTIONS = [
  'fund',
  'start',
  'deliver',
  'accept',
  'reject',
  'cancelAsBuyer',
  'cancelAsSeller',
  'cancelByBoth',
] as const
type Action = (typeof ACTIONS)[number]

const NO_THREAD = 404
const WALK: Record<string, Record<Action, number>> = {
  placed: {
    fund: 202,
    start: NO_THREAD,
    deliver: NO_THREAD,
    accept: 409,
    reject: NO_THREAD,
    cancelAsBuyer: 200,
    cancelAsSeller: 200,
    cancelByBoth: NO_THREAD,
  },
  paid: {
    fund: 409,
    start: NO_THREAD,
    deliver: NO_THREAD,
    accept: 409,
    reject: NO_THREAD,
    cancelAsBuyer: 200,
    cancelAsSeller: 200,
    cancelByBoth: NO_THREAD,
  },
  funded: {
    fund: 409,
    start: 201,
    deliver: 201,
    accept: 409,
    reject: 409,
    cancelAsBuyer: 409,
    cancelAsSeller: 200,
    cancelByBoth: 200,
  },
  late: {
    fund: 409,
    start: 201,
    deliver: 201,
    accept: 409,
    reject: 409,
    cancelAsBuyer: 200,
    cancelAsSeller: 200,
    cancelByBoth: 200,
  },
  in_flight: {
    fund: 409,
    start: 409,
    deliver: 201,
    accept: 409,
    reject: 409,
    cancelAsBuyer: 409,
    cancelAsSeller: 200,
    cancelByBoth: 200,
  },
  delivered: {
    fund: 409,
    start: 409,
    deliver: 409,
    accept: 200,
    reject: 200,
    cancelAsBuyer: 403,
    cancelAsSeller: 200,
    cancelByBoth: 409,
  },
  rejected: {
    fund: 409,
    start: 409,
    deliver: 201,
    accept: 200,
    reject: 409,
    cancelAsBuyer: 403,
    cancelAsSeller: 200,
    cancelByBoth: 409,
  },
  accepted: {
    fund: 409,
    start: 409,
    deliver: 409,
    accept: 409,
    reject: 409,
    cancelAsBuyer: 409,
    cancelAsSeller: 409,
    cancelByBoth: 409,
  },
  final: {
    fund: 409,
    start: 409,
    deliver: 409,
    accept: 409,
    reject: 409,
    cancelAsBuyer: 409,
    cancelAsSeller: 409,
    cancelByBoth: 409,
  },
  unpaid: {
    fund: 409,
    start: NO_THREAD,
    deliver: NO_THREAD,
    accept: 409,
    reject: NO_THREAD,
    cancelAsBuyer: 409,
    cancelAsSeller: 409,
    cancelByBoth: NO_THREAD,
  },
  refunded: {
    fund: 409,
    start: 409,
    deliver: 409,
    accept: 409,
    reject: 409,
    cancelAsBuyer: 409,
    cancelAsSeller: 409,
    cancelByBoth: 409,
  },
}

describe('every action in every state of an order', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    market = await startMarket()
    buyer = await newTrader(market)
    seller = await newTrader(market)
  })
  after(() => market.stop())

  const bring: Record<keyof typeof WALK, () => Promise<PlacedOrder>> = {
    placed: () => placed(buyer, seller, 'custodied'),
    paid: async () => paid(market, await placed(buyer, seller, 'custodied')),
    funded: async () => funded(market, await placed(buyer, seller, 'custodied')),
    late: async () => {
      const order = await funded(market, await placed(buyer, seller, 'custodied', { sla_seconds: 1 }))
      await passTime(market.api, 1)
      return order
    },
    in_flight: () => after1('funded', 'start'),
    delivered: async () => delivered(market, await placed(buyer, seller, 'custodied')),
    rejected: () => after1('delivered', 'reject'),
    accepted: async () => {
      const order = await delivered(market, await placed(buyer, seller, 'contract'))
      await act(order, 'accept')
      return order
    },
    final: () => after1('delivered', 'accept'),
    unpaid: () => after1('placed', 'cancelAsBuyer'),
    refunded: () => after1('funded', 'cancelAsSeller'),
  }
  const after1 = async (state: keyof typeof WALK, action: Action) => {
    const order = await (bring[state] as () => Promise<PlacedOrder>)()
    await act(order, action)
    return order
  }
  const post = async (path: string, { token }: Trader, body: unknown, version = '2026-05-17') =>
    (
      await market.api.send('POST', path, {
        token,
        headers: { 'market-version': version },
        ...(body ? { body } : {}),
      })
    ).status
  // An order without a thread or receipt has nothing a path or a message could name.
  const nothing = urnString('thread', '00000000-0000-0000-0000-000000000000')
  const say = async (order: PlacedOrder, kind: string, payload: unknown) =>
    post('/v1/messages', seller, { thread_urn: await threadOf(order).catch(() => nothing), kind, payload })
  const sign = async (order: PlacedOrder, accept: boolean) => {
    const { receipt_urn: receipt } = await read(order)
    return post(`/v1/receipts/market:receipt:${receipt?.body}/sign`, buyer, { accept }, '2026-05-05')
  }
  const cancelByBoth = async (order: PlacedOrder): Promise<number> => {
    const thread_urn = await threadOf(order).catch(() => nothing)
    const body = { thread_urn, kind: 'cancellation_proposal', payload: { reason_code: 'other' } }
    const proposed = await market.api.send('POST', '/v1/messages', { token: buyer.token, body })
    if (proposed.status !== 201) return proposed.status
    return post(`/v1/messages/${proposed.body.urn}/accept`, seller, { sha256: proposed.body.sha256 })
  }
  const act = async (order: PlacedOrder, action: Action): Promise<number> => {
    const path = `/v1/orders/${order.urn}`
    switch (action) {
      case 'fund':
        return post(`${path}/fund`, buyer, { signed_authorization: await signed(market, order) })
      case 'start':
        return say(order, 'work_started', null)
      case 'deliver':
        return say(order, 'delivery_notice', { kind: 'delivery', output_hash: 'a'.repeat(64) })
      case 'accept':
        return post(`${path}/accept`, buyer, undefined)
      case 'reject':
        return sign(order, false)
      case 'cancelAsBuyer':
        return post(`${path}/cancel`, buyer, { reason_code: 'other' })
      case 'cancelAsSeller':
        return post(`${path}/cancel`, seller, { reason_code: 'other' })
      case 'cancelByBoth':
        return cancelByBoth(order)
    }
  }

  for (const [state, expected] of Object.entries(WALK)) {
    const refused = ACTIONS.filter((action) => expected[action] >= 400)
    it(`on an order that is ${state}, these are refused and change nothing: ${refused.join(', ')}`, async () => {
      const order = await (bring[state] as () => Promise<PlacedOrder>)()
      const before = await everything(market)
      for (const action of refused) {
        expect(await act(order, action), action).to.equal(expected[action])
        const isUnchanged = JSON.stringify(await everything(market)) === JSON.stringify(before)
        expect(isUnchanged, `${action} changes nothing`).to.equal(true)
      }
    })

    for (const action of ACTIONS.filter((action) => expected[action] < 400)) {
      it(`${action} on an order that is ${state}: ${expected[action]}`, async () => {
        const order = await (bring[state] as () => Promise<PlacedOrder>)()
        const before = await read(order)
        expect(await act(order, action)).to.equal(expected[action])
        expect(await read(order)).not.to.deep.equal(before)
      })
    }
  }

  const mayOf = async (order: PlacedOrder, { client }: Trader): Promise<OrderAction[]> =>
    (await client.call('getOrder', { params: { urn: order.urn } })).body.may
  const propose = async (order: PlacedOrder, as: Trader, kind: string, content: object) =>
    post('/v1/messages', as, { thread_urn: await threadOf(order).catch(() => nothing), kind, ...content })
  const calls: Record<OrderAction, (order: PlacedOrder, as: Trader) => Promise<number>> = {
    fund: async (order, as) =>
      post(`/v1/orders/${order.urn}/fund`, as, { signed_authorization: await signed(market, order) }),
    start: (order, as) => propose(order, as, 'work_started', {}),
    deliver: (order, as) =>
      propose(order, as, 'delivery_notice', { payload: { kind: 'delivery', output_hash: 'a'.repeat(64) } }),
    accept: (order, as) => post(`/v1/orders/${order.urn}/accept`, as, undefined),
    reject: (order, as) => post(`/v1/orders/${order.urn}/reject`, as, { reason: 'too few lines' }),
    dispute: (order, as) =>
      post('/v1/disputes', as, {
        order_urn: order.urn,
        opener_urn: urnString('agent', as.agentId),
        claim: { grounds: ['other'], what_happened: 'It is not what was ordered.' },
      }),
    cancel: (order, as) => post(`/v1/orders/${order.urn}/cancel`, as, { reason_code: 'other' }),
    propose_scope_change: (order, as) => propose(order, as, 'scope_change_proposal', { body: 'Two more lines.' }),
    propose_cancellation: (order, as) =>
      propose(order, as, 'cancellation_proposal', { payload: { reason_code: 'other' } }),
    propose_remedy: (order, as) => propose(order, as, 'remedy_proposal', { payload: { refund: '1.000000' } }),
    rate: (order, as) => post('/v1/ratings', as, { order_urn: order.urn, rating: 4 }),
  }

  const expectMay = async (party: Trader, order: PlacedOrder, bringOne: () => Promise<PlacedOrder>) => {
    const may = await mayOf(order, party)
    for (const action of ORDER_ACTIONS.filter((one) => !may.includes(one))) {
      expect(await calls[action](order, party), action).to.be.at.least(400)
    }
    for (const action of may) expect(await calls[action](await bringOne(), party), action).to.be.below(300)
  }
  for (const state of Object.keys(WALK)) {
    it(`what an order that is ${state} says its parties may do is what their calls answer`, async () => {
      const bringOne = bring[state] as () => Promise<PlacedOrder>
      const order = await bringOne()
      await expectMay(buyer, order, bringOne)
      await expectMay(seller, order, bringOne)
    })
  }

  it('delivers three times, and no more', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    for (const deliveries of [2, 3]) {
      await market.api.send('POST', `/v1/orders/${order.urn}/reject`, {
        token: buyer.token,
        body: { reason: `Not delivery ${deliveries - 1}.` },
      })
      await deliver(order)
      expect(await read(order)).to.deep.include({ state: 'delivered', deliveries })
    }
    await act(order, 'reject')
    expect(await act(order, 'deliver')).to.equal(409)
    expect((await read(order)).state).to.equal('rejected')
    const { db } = market.api
    const notices = db.selectFrom('market.delivery_notices').selectAll().where('order_id', '=', order.id)
    expect((await notices.execute()).map(({ number }) => number)).to.have.members([1, 2, 3])
    const rejections = db.selectFrom('market.rejections').selectAll().where('order_id', '=', order.id)
    expect((await rejections.execute()).map(({ number, reason }) => [number, reason])).to.have.deep.members([
      [1, 'Not delivery 1.'],
      [2, 'Not delivery 2.'],
      [3, null],
    ])
  })
})
