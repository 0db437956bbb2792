import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  confirmPayment,
  type Mode,
  paid,
  placed,
  randomHash,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

describe('what anybody reads of a payment, by its wallet and nonce', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
  })
  after(() => market.stop())

  const read = (from: string, nonce: string) => market.api.send('GET', `/v1/public/payments/${from}/${nonce}`, {})
  const NOTHING = { transaction: null, log_index: null }

  for (const mode of ['custodied', 'contract'] satisfies Mode[]) {
    it(`is where it stands: pending, settled with its transaction, and pending where the chain lost it (${mode})`, async () => {
      const order = await placed(buyer, seller, mode)
      const [from, nonce] = [buyer.wallet.address, order.offer.nonce]
      expectProblem(await read(from, nonce), 404, 'resource/not-found')
      await paid(market, order)
      expect((await read(from, nonce)).body).to.deep.equal({ state: 'pending', ...NOTHING })
      await confirmPayment(market, order)
      const settled = (await read(from.toLowerCase(), nonce.toUpperCase().replace('0X', '0x'))).body
      expect(settled).to.include({ state: 'settled', log_index: 1 })
      expect(settled.transaction).to.match(/^0x[0-9a-f]{64}$/)
      await sql`update market.processed_chain_events set vanished_at = market.now() where tx_hash = ${settled.transaction}`.execute(
        market.api.db,
      )
      expect((await read(from, nonce)).body).to.deep.equal({ state: 'pending', ...NOTHING })
    })
  }

  it('is failed where it was not made, and nothing where it is somebody else’s or no payment', async () => {
    const order = await placed(buyer, seller, 'custodied')
    await paid(market, order)
    await sql`update market.authorizations set state = 'failed' where order_id = ${order.id}`.execute(market.api.db)
    const { nonce } = order.offer
    expect((await read(buyer.wallet.address, nonce)).body).to.deep.equal({ state: 'failed', ...NOTHING })
    expectProblem(await read(seller.wallet.address, nonce), 404, 'resource/not-found')
    expectProblem(await read(buyer.wallet.address, randomHash()), 404, 'resource/not-found')
    expectProblem(await read(buyer.wallet.address, 'nonce'), 404, 'resource/not-found')
  })
})
