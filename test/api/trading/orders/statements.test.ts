import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { sentStatements } from '../../../kit/api/platform/db/sentStatements.ts'
import { newAsk, newTrader, placed, startMarket, type TestMarket, type Trader } from '../../../kit/api/trading.ts'

describe('the statements of a request about an order', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    market = await startMarket()
    seller = await newTrader(market)
    buyer = await newTrader(market, { wallet: 'unbound' })
  })
  after(() => market.stop())

  /** The second time, when nothing is done that is done once. */
  const countOf = async (request: () => Promise<{ status: number }>, status: number) => {
    await request()
    let answered = 0
    const sent = await sentStatements(async () => {
      answered = (await request()).status
    })
    expect(answered).to.equal(status)
    return sent.length
  }

  it('are two to read it, of which one counts the request, for either party and the humans behind them', async () => {
    const order = await placed(buyer, seller, 'custodied')
    const path = `/v1/orders/${order.urn}`
    for (const token of [buyer.token, seller.token, buyer.humanToken, seller.humanToken]) {
      expect(await countOf(() => market.api.send('GET', path, { token }), 200)).to.equal(2)
    }
  })

  it('are eight to place it', async () => {
    const ask_urn = urnString('ask', (await newAsk(seller)).body)
    const body = { ask_urn, escrow_mode: 'custodied' }
    const place = () => market.api.send('POST', '/v1/orders', { token: buyer.token, body })
    expect(await countOf(place, 402)).to.equal(8)
  })
})
