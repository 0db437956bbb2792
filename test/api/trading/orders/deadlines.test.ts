import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pino from 'pino'
import type { PublicClient } from 'viem'
import type { OrderState } from '../../../../api/platform/db/generated/tables.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { lockOrderRow } from '../../../../api/trading/orders/record/find.ts'
import { nextDeadline, readLabels } from '../../../../api/trading/orders/record/labels.ts'
import { acceptUndecided, announceBreaches, refundExpiredHolds } from '../../../../api/trading/orders/work/deadlines.ts'
import { tellOfExpiredHolds } from '../../../../api/trading/orders/work/tellOfExpiredHolds.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { fundedEvent, paymentEvent, reclaimedEvent } from '../../../kit/api/payments/escrow/chainEvents.ts'
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
      const isUndelivered = state === 'funded' || state === 'in_flight'
      expect(await orderOf(world, trade)).to.include(
        isUndelivered ? { state: 'cancelled', reason: 'hold_expired' } : { state: 'final' },
      )
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

  describe('in the contract', () => {
    const heldTrade = async (state: OrderState) => {
      const trade = await newTrade(world, 'contract', { payer: 'wallet' })
      const held = fundedEvent(world, trade)
      await world.settle(held)
      await setState(world, trade, state)
      return { trade, held }
    }
    const toldOf = async ({ orderId }: Trade) => {
      const events = await world.db
        .selectFrom('market.events')
        .select('payload')
        .where('event_type', '=', 'order.hold_expired')
        .execute()
      return events.filter(({ payload }) => payload.order_urn === urnString('order', orderId)).length
    }
    const next = ({ orderId }: Trade) =>
      world.run(async (tx) => {
        const [order, labels] = [await lockOrderRow(tx, orderId), await readLabels(tx, orderId)]
        return order && labels ? nextDeadline(order, labels)?.what : undefined
      })

    for (const state of ['funded', 'in_flight', 'delivered', 'rejected', 'disputed'] as const) {
      it(`is told to the parties once, and its payer can reclaim it, from a ${state} order`, async () => {
        const { trade, held } = await heldTrade(state)
        await tellOfExpiredHolds(services)
        expect(await toldOf(trade)).to.equal(0)
        await expire(trade)
        await Promise.all([tellOfExpiredHolds(services), tellOfExpiredHolds(services)])
        await tellOfExpiredHolds(services)
        expect(await toldOf(trade)).to.equal(1)
        expect(await holdOf(world, trade)).to.include({ status: 'held' })
        expect(await next(trade)).to.equal('expire')
        expect((await orderOf(world, trade)).state).to.equal(state)
        await world.settle(reclaimedEvent(held))
        const isUndelivered = state === 'funded' || state === 'in_flight'
        expect(await orderOf(world, trade)).to.include(
          isUndelivered ? { state: 'cancelled', reason: 'hold_expired' } : { state: 'final' },
        )
        expect(await next(trade)).to.equal(undefined)
      })
    }

    it('is told of nothing that has ended, or whose payment is gone', async () => {
      const [ended, gone] = [await heldTrade('accepted'), await heldTrade('funded')]
      await expire(ended.trade)
      await expire(gone.trade)
      const { orderId } = gone.trade
      await sql`update market.orders set suspended_at = market.now() where id = ${orderId}`.execute(world.db)
      await tellOfExpiredHolds(services)
      expect([await toldOf(ended.trade), await toldOf(gone.trade)]).to.deep.equal([0, 0])
    })

    it('is not what an order waits for that is still to be paid: then it is the adoption, if there is one', async () => {
      const trade = await newTrade(world, 'contract', { payer: 'unknown' })
      expect(await next(trade)).to.equal('pay')
      const payment = {
        kind: 'escrow_payment',
        status: 'adopting',
        order_id: trade.orderId,
        payer: trade.payer,
      } as const
      await world.db
        .insertInto('market.unmatched_payments')
        .values({ key: trade.orderId, ...payment, amount_micros: PRICE, tx_hash: '0x01' })
        .execute()
      expect(await next(trade)).to.equal(undefined)
      await sql`update market.unmatched_payments set adoptable_at = market.now() where key = ${trade.orderId}`.execute(
        world.db,
      )
      expect(await next(trade)).to.equal('adopt')
    })
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

  /**
   * As many paid orders as that, in a state and with a window that ends in an hour. Copies of one, whose hold
   * is the contract's.
   */
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
  // Stands still where it is put: on a busy machine a clock that runs is past a window's end before the test
  // looks.
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

  it('are all acted on by one pass, none before its second and none twice, by two workers at once [spec 1:8 3.1:7 3.1:13]', async () => {
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
