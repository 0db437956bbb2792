import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import {
  delivered,
  placed,
  read,
  signed,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

const AT_ONCE = 20

describe('of twenty at once', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
  })
  after(() => market.stop())

  const outcomes = async (count: number, ask: (index: number) => Promise<{ status: number }>) => {
    const replies = await Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
    const counts = new Map<number, number>()
    for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1)
    return Object.fromEntries(counts)
  }
  const rowsOf = async (orderId: string) => {
    const { db } = market.api
    const rows = (table: 'market.intents' | 'market.payouts' | 'market.authorizations') =>
      db.selectFrom(table).selectAll().where('order_id', '=', orderId).execute()
    return {
      intents: (await rows('market.intents')).length,
      payouts: (await rows('market.payouts')).length,
      authorizations: (await rows('market.authorizations')).length,
    }
  }

  it('one payment is taken', async () => {
    const order = await placed(buyer, seller, 'contract')
    const body = { signed_authorization: await signed(market, order) }
    const counts = await outcomes(AT_ONCE, () =>
      market.api.send('POST', `/v1/orders/${order.urn}/fund`, { token: buyer.token, body }),
    )
    expect(counts).to.deep.equal({ 202: 1, 409: AT_ONCE - 1 })
    expect(await rowsOf(order.id)).to.deep.equal({ intents: 1, payouts: 0, authorizations: 1 })
  })

  it('one acceptance releases', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const before = await rowsOf(order.id)
    const counts = await outcomes(AT_ONCE, () =>
      market.api.send('POST', `/v1/orders/${order.urn}/accept`, { token: buyer.token }),
    )
    expect(counts).to.deep.equal({ 200: 1, 409: AT_ONCE - 1 })
    expect(await rowsOf(order.id)).to.deep.include({ payouts: before.payouts + 1 })
    expect((await read(order)).state).to.equal('final')
  })

  it('an acceptance or a cancellation has all of the money, never both', async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const counts = await outcomes(AT_ONCE, (index) =>
      index % 2 === 0
        ? market.api.send('POST', `/v1/orders/${order.urn}/accept`, { token: buyer.token })
        : market.api.send('POST', `/v1/orders/${order.urn}/cancel`, {
            token: seller.token,
            body: { reason_code: 'other' },
          }),
    )
    expect(counts).to.deep.equal({ 200: 1, 409: AT_ONCE - 1 })
    expect((await rowsOf(order.id)).payouts).to.equal(1)
    const { hold, state } = await read(order)
    expect(hold?.status).to.equal('released')
    expect(state).to.be.oneOf(['final', 'cancelled'])
  })

  it('a payment and a cancellation leave no payment to submit on a cancelled order', async () => {
    const order = await placed(buyer, seller, 'custodied')
    const body = { signed_authorization: await signed(market, order) }
    await outcomes(AT_ONCE, (index) =>
      index % 2 === 0
        ? market.api.send('POST', `/v1/orders/${order.urn}/fund`, { token: buyer.token, body })
        : market.api.send('POST', `/v1/orders/${order.urn}/cancel`, {
            token: buyer.token,
            body: { reason_code: 'other' },
          }),
    )
    expect((await read(order)).state).to.equal('cancelled')
    const open = await market.api.db
      .selectFrom('market.intents')
      .select('id')
      .where('order_id', '=', order.id)
      .where('closed_at', 'is', null)
      .execute()
    expect(open).to.deep.equal([])
  })
})
