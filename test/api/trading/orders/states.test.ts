import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { Problem } from '../../../../api/errors.ts'
import type { OrderState } from '../../../../api/platform/db/generated/tables.ts'
import { type OrderTransition, orderTransitions } from '../../../../api/trading/orders/record/states.ts'
import { transition } from '../../../../api/trading/orders/record/transition.ts'
import {
  everything,
  newTrader,
  type PlacedOrder,
  placed,
  read,
  startMarket,
  type TestMarket,
} from '../../../kit/api/trading.ts'

const STATES = Object.keys({
  placed: true,
  funded: true,
  in_flight: true,
  delivered: true,
  accepted: true,
  rejected: true,
  cancelled: true,
  disputed: true,
  final: true,
} satisfies Record<OrderState, true>) as OrderState[]
const EVENTS = Object.keys(orderTransitions) as OrderTransition[]

// What a receipt's event says besides.
const SPLIT = { refund: '0.000000', seller_net: '19.000000', market_fee: '1.000000' }
const amountsOf = (event: OrderTransition) => (orderTransitions[event].event === 'receipt.finalized' ? SPLIT : {})

// What parties may do in each state: test/system/walks/orders.test.ts.
describe('the states of an order', () => {
  let market: TestMarket
  before(async () => {
    market = await startMarket()
  })
  after(() => market.stop())

  describe('the transition table', () => {
    let order: PlacedOrder
    before(async () => {
      order = await placed(await newTrader(market), await newTrader(market), 'custodied')
    })

    const stateOf = async () => (await read(order)).state
    const setState = (state: OrderState) =>
      market.api.db.updateTable('market.orders').set({ state }).where('id', '=', order.id).execute()

    const tryEvent = (event: OrderTransition) =>
      market.api.db
        .transaction()
        .execute((tx) => transition(tx, order.id, event, {}, amountsOf(event)))
        .catch((error: unknown) => error)

    for (const state of STATES) {
      const allowed = EVENTS.filter((event) => (orderTransitions[event].from as readonly OrderState[]).includes(state))
      const refused = EVENTS.filter((event) => !allowed.includes(event))

      it(`from ${state}, these are refused and change nothing: ${refused.join(', ')} [spec 3.1:24]`, async () => {
        await setState(state)
        const before = await everything(market)
        for (const event of refused) {
          expect(await tryEvent(event), event)
            .to.be.instanceOf(Problem)
            .with.property('problem', 'orders/state-conflict')
        }
        expect(await everything(market)).to.deep.equal(before)
      })

      for (const event of allowed) {
        const { to, event: eventType } = orderTransitions[event]
        it(`${event} from ${state} leads to ${to} [spec 2.7:1 3.1:23]`, async () => {
          await setState(state)
          await tryEvent(event)
          expect(await stateOf()).to.equal(to)
          const last = await market.api.db
            .selectFrom('market.events')
            .selectAll()
            .orderBy('id', 'desc')
            .executeTakeFirstOrThrow()
          expect(last.event_type).to.equal(eventType)
          expect(last.payload).to.deep.include({ order_urn: order.urn, state: to })
        })
      }
    }

    it('of two that race, one wins', async () => {
      await setState('delivered')
      const race = (event: OrderTransition) =>
        market.api.db.transaction().execute((tx) => transition(tx, order.id, event, {}, amountsOf(event)))
      const outcomes = await Promise.allSettled([race('accept'), race('concede'), race('reject')])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    })
  })
})
