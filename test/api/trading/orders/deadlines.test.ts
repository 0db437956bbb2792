import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pino from 'pino'
import type { PublicClient } from 'viem'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { lockOrderRow } from '../../../../api/trading/orders/record/find.ts'
import { acceptUndecided, announceBreaches, refundExpiredHolds } from '../../../../api/trading/orders/work/deadlines.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { paymentEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
import { holdOf, orderOf, payoutsOf } from '../../../kit/api/payments/escrow/read.ts'
import {
  newAddress,
  newTrade,
  PRICE,
  setState,
  startWorld,
  type Trade,
  type World,
} from '../../../kit/api/payments/escrow/world.ts'

describe('a custodied hold that expires', () => {
  let world: World
  let services: JobServices

  before(async () => {
    world = await startWorld()
    // This job asks the chain nothing.
    services = {
      db: world.serviceDb,
      rpc: {} as PublicClient,
      settings: world.settings,
      log: pino({ level: 'silent' }),
    }
  })

  after(() => world?.stop())

  const paidTrade = async (): Promise<Trade> => {
    const trade = await newTrade(world, 'custodied', { payer: 'wallet' })
    await world.settle(paymentEvent(trade))
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

describe('windows that end in the same second', () => {
  const COUNT = 300
  let world: World
  let services: JobServices
  const alarms: string[] = []

  before(async () => {
    world = await startWorld()
    const log = pino({ level: 'error' }, { write: (line) => alarms.push(line) })
    services = { db: world.serviceDb, rpc: {} as PublicClient, settings: world.settings, log }
    await pass(0)
  })
  after(() => world?.stop())

  /** As many paid orders as that, in a state and with a window that ends in an hour. Copies of one, whose hold is the contract's. */
  const copies = async (state: 'delivered' | 'funded', window: 'accept_by' | 'sla_due_at'): Promise<string[]> => {
    const { order, orderId } = await newTrade(world, 'contract', { payer: 'wallet' })
    const hash = sql`'0x' || repeat(replace(gen_random_uuid()::text, '-', ''), 2)`
    const { rows } = await sql<{ id: string }>`
      insert into market.orders
      select (jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(), 'state', ${state}::text,
        'order_key', ${hash}, 'nonce', gen_random_uuid(), ${sql.lit(window)}, market.now() + interval '1 minute'))).*
      from market.orders original, generate_series(1, ${COUNT}) where original.id = ${orderId}
      returning id`.execute(world.db)
    const ids = rows.map(({ id }) => id)
    await sql`insert into market.holds (id, order_id, status, payer, amount_micros, deposit_nonce, deposit_tx)
      select gen_random_uuid(), id, 'held', ${newAddress()}, ${order.price_micros}, gen_random_uuid(), '0x01'
      from unnest(${ids}::uuid[]) as id`.execute(world.db)
    return ids
  }
  // Stands still where it is put: on a busy machine a clock that runs is past a window's end before the test looks.
  let timeMs = Date.now()
  const pass = (milliseconds: number) => {
    timeMs += milliseconds
    const time = sql.lit(new Date(timeMs).toISOString())
    return sql`create or replace function market.now() returns timestamptz language sql stable
      return ${time}::timestamptz`.execute(world.db)
  }
  const eventsOf = async (type: string, ids: readonly string[]) => {
    const events = await world.db.selectFrom('market.events').selectAll().where('event_type', '=', type).execute()
    const urns = new Set(ids.map((id) => urnString('order', id)))
    return events.map(({ payload }) => payload.order_urn).filter((urn) => urns.has(String(urn)))
  }

  it('are all acted on by one pass, none before its second and none twice, by two workers at once', async () => {
    const [delivered, late] = [await copies('delivered', 'accept_by'), await copies('funded', 'sla_due_at')]
    const work = () => Promise.all([services, services].flatMap((one) => [acceptUndecided(one), announceBreaches(one)]))
    await pass(59_999)
    await work()
    expect([await eventsOf('order.accepted', delivered), await eventsOf('sla.breached', late)]).to.deep.equal([[], []])
    await pass(1)
    await work()
    expect(await eventsOf('order.accepted', delivered)).to.have.members(delivered.map((id) => urnString('order', id)))
    expect(await eventsOf('sla.breached', late)).to.have.members(late.map((id) => urnString('order', id)))
    const releases = await world.db
      .selectFrom('market.intents')
      .select('order_id')
      .where('kind', '=', 'release')
      .execute()
    expect(releases.map(({ order_id }) => order_id)).to.have.members(delivered)
    expect(alarms).to.deep.equal([])
  })

  it('pass over an order that somebody is at work on, and one that fails, and do the others', async () => {
    const ids = await copies('delivered', 'accept_by')
    const [busy, broken] = ids as [string, string]
    await world.db.deleteFrom('market.holds').where('order_id', '=', broken).execute()
    await pass(60_000)
    await world.run(async (tx) => {
      await lockOrderRow(tx, busy)
      await acceptUndecided(services)
    })
    expect(await eventsOf('order.accepted', ids)).to.have.length(COUNT - 2)
    expect(alarms.filter((line) => line.includes(broken))).to.have.length(1)
    await acceptUndecided(services)
    expect(await eventsOf('order.accepted', ids)).to.include(urnString('order', busy))
  })
})
