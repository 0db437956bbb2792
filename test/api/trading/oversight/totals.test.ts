import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { acceptUndecided } from '../../../../api/trading/orders/work/accept.ts'
import { readTotals } from '../../../../api/trading/oversight/internal/totals.ts'
import { sumHours } from '../../../../api/trading/oversight/sumHours.ts'
import { paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import { newTrade, PRICE, setState, startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { openPlanned } from '../../../kit/api/platform/db/plans.ts'

describe('the totals of operators', () => {
  let world: World
  before(async () => {
    world = await startWorld()
  })
  after(() => world?.stop())

  const funded = async () => {
    const trade = await newTrade(world, 'custodied')
    await world.settle(paymentEvent(trade))
    return trade
  }
  const read = (days = 2) => world.serviceDb.transaction().execute((tx) => readTotals(tx, days))
  const pass = (hours: number) =>
    sql`update sandbox.clock set shift = shift + make_interval(hours => ${hours})`.execute(world.db)
  const summed = async () => {
    const { rows } = await sql<{ hours: number }>`select count(*)::int as hours from market.hourly_totals`.execute(
      world.db,
    )
    return rows[0]?.hours
  }
  const expected = { paid_orders: 3, paid: '60.000000', ended_orders: 2, refunded: '10.000000' }

  it('are what was paid, distributed and kept, and what is open', async () => {
    await funded()
    const accepted = await funded()
    await setState(world, accepted, 'delivered')
    const due = { accept_by: new Date(0) }
    await world.db.updateTable('market.orders').set(due).where('id', '=', accepted.orderId).execute()
    await world.run((tx) => acceptUndecided(tx, world.settings, accepted.orderId))
    const halved = await funded()
    await setState(world, halved, 'accepted')
    await world.run((tx) => release(tx, world.settings, halved.orderId, { refundMicros: PRICE / 2n }))

    await sql`insert into market.disputes (id, order_id, state, opener, outcome, opened_at, closed_at)
      values (gen_random_uuid(), ${halved.orderId}, 'closed', 'buyer', 'settlement', market.now() - interval '9 days', market.now())`.execute(
      world.db,
    )
    const totals = await read()
    expect(totals.period).to.deep.equal({ ...expected, to_sellers: '28.500000', fees: '1.500000' })
    expect(totals.days).to.have.length(2)
    expect(totals.days[1]).to.include(expected)
    expect(totals.open_orders.find(({ state }) => state === 'funded')).to.deep.equal({
      state: 'funded',
      orders: 1,
      amount: '20.000000',
    })
    expect(totals.time_to_final).to.include({ orders: 2 })
    const disputes = totals.disputes.filter(({ disputes }) => disputes > 0)
    expect(disputes, 'closed in the period, though opened before').to.deep.equal([{ state: 'closed', disputes: 1 }])
  })

  it('are the same before and after an hour is summed up, by however many workers at once', async () => {
    const before = await read()
    await Promise.all([sumHours({ db: world.serviceDb }), sumHours({ db: world.serviceDb })])
    expect(await summed()).to.equal(0)
    expect(await read()).to.deep.equal(before)
    await pass(2)
    await Promise.all([sumHours({ db: world.serviceDb }), sumHours({ db: world.serviceDb })])
    expect(await summed()).to.be.within(1, 2)
    const after = await read(3)
    expect(after.period).to.deep.equal(before.period)
    await pass(24)
    await sumHours({ db: world.serviceDb })
    await funded()
    const { period } = await read(4)
    expect(period).to.include({ ...expected, paid_orders: 4, paid: '80.000000' })
    const [today] = (await read(1)).days
    expect(today).to.include({ paid_orders: 1, ended_orders: 0 })
    expect((await read(1)).disputes.at(-1)).to.deep.equal({ state: 'closed', disputes: 0 })
  })

  it('are found by indexes, however many orders there are', async () => {
    const planned = openPlanned(world.databaseUrl)
    try {
      for (const plan of await planned.plansOf((tx) => readTotals(tx, 90))) {
        expect(plan, plan).to.not.match(/Seq Scan on (orders|holds|receipts|disputes|hourly_totals)/)
      }
      const [plan = ''] = await planned.plansOf((tx) => tx.selectFrom('market.orders').selectAll().execute())
      expect(plan).to.match(/Seq Scan on orders/)
    } finally {
      await planned.db.destroy()
    }
  })
})
