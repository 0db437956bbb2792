import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { Problem } from '../../../../api/errors.ts'
import type { Tx } from '../../../../api/platform/db/pool.ts'
import { advanceDispute, arbitrate } from '../../../../api/trading/disputes/work/internal/advance.ts'
import { openDispute } from '../../../../api/trading/disputes/work/open.ts'
import { cancelOrder } from '../../../../api/trading/orders/work/cancel.ts'
import { refundExpired } from '../../../../api/trading/orders/work/internal/refundExpired.ts'
import { holdOf, intentsAbout, orderOf, payoutsOf } from '../../../kit/api/payments/escrow/read.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { openPlanned } from '../../../kit/api/platform/db/plans.ts'
import { acceptAsBuyer } from '../../../kit/api/trading/acceptAsBuyer.ts'
import {
  DECIDABLE,
  type DisputedTrade,
  deliver,
  dispute,
  disputeIn,
  disputeOf,
  type PaidTrade,
  paidTrade,
  pass,
  rejectedTrade,
} from '../../../kit/api/trading/disputes/world.ts'

type Act = (world: World, trade: DisputedTrade) => Promise<unknown>

const concede: Act = ({ run }, { seller, orderId }) => run((tx) => cancelOrder(tx, seller.call, orderId, 'conceded'))
const giveIn: Act = ({ run, settings }, { orderId }) => run((tx) => acceptAsBuyer(tx, settings, orderId))
const decide: Act = ({ run, settings }, { disputeId }) => run((tx) => arbitrate(tx, settings, disputeId))
const execute: Act = ({ run, settings }, { disputeId }) => run((tx) => advanceDispute(tx, settings, disputeId))
const expire: Act = ({ run, settings }, { orderId }) => run((tx) => refundExpired(tx, settings, orderId))

describe('two of everything about a dispute at once', () => {
  let world: World
  before(async () => {
    world = await startWorld()
  })
  after(() => world?.stop())

  const race = async (trade: DisputedTrade, acts: readonly Act[]) => {
    const outcomes = await Promise.allSettled(acts.map((act) => act(world, trade)))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).to.be.instanceOf(Problem)
    }
    return outcomes
  }
  /** The money left once, whole, by one distribution. */
  const expectOnce = async (trade: DisputedTrade) => {
    const { outcome, refund_micros: refund } = await disputeOf(world, trade)
    if (trade.held) {
      const releases = (await intentsAbout(world, trade.orderId)).filter(({ kind }) => kind === 'release')
      expect(releases).to.have.length(1)
      return
    }
    const hold = await holdOf(world, trade)
    expect(hold).to.include({ status: 'released', released_payer_micros: refund })
    const payouts = await payoutsOf(world, trade.payer)
    const paid = payouts.reduce((sum, { amount_micros }) => sum + amount_micros, hold?.released_fee_micros ?? 0n)
    expect(paid).to.equal(hold?.amount_micros)
    expect((await orderOf(world, trade)).state).to.equal('final')
    expect(outcome).to.not.equal(null)
  }
  const disputeAs = (trade: PaidTrade, opener: 'buyer' | 'seller') => {
    const { call, agentId: openerId } = trade[opener]
    return world.run((tx) =>
      openDispute(tx, call, { orderId: trade.orderId, openerId, statement: DECIDABLE, evidence: [] }),
    )
  }
  const refusal = (opening: Promise<unknown>) =>
    opening.then(
      () => 'opened',
      ({ problem }: Problem) => problem,
    )
  const due = (trade: DisputedTrade) =>
    world.db
      .updateTable('market.disputes')
      .set({ due_at: new Date(0) })
      .where('id', '=', trade.disputeId)
      .execute()

  for (const opener of ['buyer', 'seller'] as const) {
    it(`the ${opener} disputes what was delivered again, which then does not accept itself [spec 3.1:17 4:29]`, async () => {
      const trade = await rejectedTrade(world, 'custodied')
      await deliver(world, trade)
      const { id } = await disputeAs(trade, opener)
      expect(await orderOf(world, trade)).to.include({ state: 'disputed', accept_by: null, dispute_id: id })
      expect(await holdOf(world, trade)).to.include({ status: 'held' })
    })
  }

  it('a first delivery is rejected before it is disputed, and nothing past its window [spec 1:11 2.12:2 3.1:16 4:29 6.3:5]', async () => {
    const first = await paidTrade(world, 'custodied')
    await deliver(world, first)
    expect(await refusal(disputeAs(first, 'buyer'))).to.equal('orders/state-conflict')
    const late = await rejectedTrade(world, 'custodied')
    await deliver(world, late)
    await world.db
      .updateTable('market.orders')
      .set({ accept_by: new Date(0) })
      .where('id', '=', late.orderId)
      .execute()
    expect(await refusal(disputeAs(late, 'seller'))).to.equal('orders/window-closed')
  })

  for (const mode of ['custodied', 'contract'] as const) {
    it(`in ${mode} mode: a verdict and a concession`, async () => {
      const trade = await disputeIn(world, mode, 'open')
      await pass(world, trade)
      await race(trade, [decide, concede, decide, concede])
      await expectOnce(trade)
    })

    it(`in ${mode} mode: an execution and the two parties giving in`, async () => {
      const trade = await disputeIn(world, mode, 'decided')
      await due(trade)
      await race(trade, [execute, concede, giveIn, execute])
      await expectOnce(trade)
    })

    it(`in ${mode} mode: two that open it`, async () => {
      const trade = await rejectedTrade(world, mode)
      const opened = await Promise.allSettled([
        dispute(world, trade, DECIDABLE, 'buyer'),
        dispute(world, trade, DECIDABLE, 'seller'),
      ])
      expect(opened.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected'])
    })
  }

  it('an expiry and a verdict: the verdict', async () => {
    const trade = await disputeIn(world, 'custodied', 'decided')
    await due(trade)
    await world.db
      .updateTable('market.orders')
      .set({ expires_at: new Date(0) })
      .where('id', '=', trade.orderId)
      .execute()
    await race(trade, [expire, execute, expire])
    await expectOnce(trade)
    expect(await disputeOf(world, trade)).to.include({ outcome: 'verdict' })
  })

  it('no release reaches a frozen hold, whoever asks for it [spec 3.1:18] [risk transact-token]', async () => {
    const trade = await disputeIn(world, 'contract', 'decided')
    const ask = world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 0n }))
    expect(String(await ask.catch((error: unknown) => error))).to.include('frozen by its dispute')
  })

  it('what ends an order locks it once, and hands its row on', async () => {
    const { db, sentBy } = openPlanned(world.databaseUrl)
    after(() => db.destroy())
    const { settings } = world
    const locksOf = async (verb: (tx: Tx) => Promise<unknown>) => {
      const sent = (await sentBy(verb)).map((query) => query.sql)
      return sent.filter((text) => /^select .* from "market"\."orders".* for no key update$/.test(text)).length
    }
    const [delivered, begun, conceded, decided] = [
      await paidTrade(world, 'custodied'),
      await paidTrade(world, 'custodied'),
      await disputeIn(world, 'custodied', 'open'),
      await disputeIn(world, 'custodied', 'decided'),
    ]
    await deliver(world, delivered)
    await due(decided)
    const ends = {
      accepted: (tx: Tx) => acceptAsBuyer(tx, settings, delivered.orderId),
      cancelled: (tx: Tx) => cancelOrder(tx, begun.seller.call, begun.orderId, 'other'),
      conceded: (tx: Tx) => cancelOrder(tx, conceded.seller.call, conceded.orderId, 'conceded'),
      decided: (tx: Tx) => advanceDispute(tx, settings, decided.disputeId),
    }
    for (const [how, end] of Object.entries(ends)) expect(await locksOf(end), how).to.equal(1)
    const states = [delivered, begun, conceded, decided].map(async (trade) => (await orderOf(world, trade)).state)
    expect(await Promise.all(states)).to.deep.equal(['final', 'cancelled', 'final', 'final'])
  })
})
