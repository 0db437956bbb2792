import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pino from 'pino'
import type { PublicClient } from 'viem'
import { refundExpiredHolds } from '../../../api/jobs/deadlines.ts'
import type { JobServices } from '../../../api/jobs/services.ts'
import { paymentFact } from '../escrow/facts.ts'
import { holdOf, orderOf, payoutsOf } from '../escrow/read.ts'
import { newTrade, PRICE, setState, startWorld, type Trade, type World } from '../escrow/world.ts'

describe('a custodied hold that expires', () => {
  let world: World
  let services: JobServices

  before(async () => {
    world = await startWorld()
    // This job asks the chain nothing.
    services = { db: world.db, rpc: {} as PublicClient, settings: world.settings, log: pino({ level: 'silent' }) }
  })

  after(() => world?.stop())

  const paidTrade = async (): Promise<Trade> => {
    const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
    await world.settle(paymentFact(trade))
    return trade
  }
  const expire = ({ orderId }: Trade) =>
    sql`update market.orders set expires_at = market.now() where id = ${orderId}`.execute(world.db)

  for (const state of ['funded', 'in_flight', 'delivered', 'rejected'] as const) {
    it(`goes back whole to its payer, once, from a ${state} order`, async () => {
      const trade = await paidTrade()
      await setState(world, trade, state)
      await expire(trade)
      await refundExpiredHolds(services)
      await refundExpiredHolds(services)
      const hold = await holdOf(world, trade)
      expect(hold).to.include({ status: 'released', released_payer_micros: PRICE, released_payee_micros: 0n })
      expect((await orderOf(world, trade)).state).to.equal('final')
      const payouts = (await payoutsOf(world, hold?.payer ?? '')).filter(({ order_id }) => order_id === trade.orderId)
      expect(payouts.map(({ leg, amount_micros }) => ({ leg, amount_micros }))).to.deep.equal([
        { leg: 'payer', amount_micros: PRICE },
      ])
    })
  }

  it('stays held until then', async () => {
    const trade = await paidTrade()
    await refundExpiredHolds(services)
    expect(await holdOf(world, trade)).to.include({ status: 'held' })
  })
})
