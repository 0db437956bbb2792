import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { expireOrder } from '../../../../api/trading/orders/payment/internal/expire.ts'
import { lockOrderRow } from '../../../../api/trading/orders/record/find.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  everything,
  type PlacedOrder,
  paid,
  passTime,
  placed,
  read,
  signed,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

describe('an unpaid order', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
  })
  after(() => market.stop())

  const expire = ({ id }: PlacedOrder) =>
    market.api.db.transaction().execute(async (tx) => {
      const order = await lockOrderRow(tx, id)
      return order !== undefined && expireOrder(tx, order)
    })

  it('is cancelled by the service when its offer is over, and cannot be paid from then on', async () => {
    const order = await placed(buyer, seller, 'custodied')
    const signed_authorization = await signed(market, order)
    expect(await expire(order)).to.equal(false)
    await passTime(market.api, market.api.settings.rules.paymentWindowSeconds)
    expect(await expire(order)).to.equal(true)
    expect(await read(order)).to.deep.include({ state: 'cancelled', reason: 'unpaid', payment_requirements: null })

    const before = await everything(market)
    expect(await expire(order)).to.equal(false)
    const path = `/v1/orders/${order.urn}/fund`
    const reply = await market.api.send('POST', path, { token: buyer.token, body: { signed_authorization } })
    expectProblem(reply, 409, 'orders/state-conflict')
    expect(await everything(market)).to.deep.equal(before)
  })

  it('stays while an authorization on file may still pay it', async () => {
    const order = await paid(market, await placed(buyer, seller, 'contract'))
    await passTime(market.api, market.api.settings.rules.paymentWindowSeconds)
    expect(await expire(order)).to.equal(false)
    await market.api.db
      .updateTable('market.authorizations')
      .set({ state: 'failed' })
      .where('order_id', '=', order.id)
      .execute()
    expect(await expire(order)).to.equal(true)
  })
})
