import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openOverdueDisputes } from '../../../../api/trading/disputes/work/deadlines.ts'
import { extendDispute } from '../../../../api/trading/disputes/work/end.ts'
import { concludeModel } from '../../../../api/trading/disputes/work/internal/advance.ts'
import { refundExpiredHolds } from '../../../../api/trading/orders/work/deadlines.ts'
import { eventsOf, holdOf, orderOf } from '../../../kit/api/payments/escrow/read.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { jobServices, workOnDisputes } from '../../../kit/api/trading/disputes/arbitration.ts'
import {
  DECIDABLE,
  type DisputedTrade,
  deliver,
  dispute,
  disputeIn,
  disputeOf,
  mined,
  type PaidTrade,
  paidTrade,
  REFUND,
  reject,
  rejectedTrade,
} from '../../../kit/api/trading/disputes/world.ts'

describe('the deadlines of a dispute, with nobody acting', () => {
  let world: World
  // Stands still where it is put: on a busy machine a clock that runs is past a deadline before the test
  // looks.
  let timeMs = Date.now()
  const stand = () =>
    sql`create or replace function market.now() returns timestamptz language sql stable
      return ${sql.lit(new Date(timeMs).toISOString())}::timestamptz`.execute(world.db)
  const work = async () => {
    await openOverdueDisputes(jobServices(world))
    await workOnDisputes(world)
    await refundExpiredHolds(jobServices(world))
  }
  /**
   * Lets time pass until just before a deadline, sees that nothing has changed, and lets the deadline come.
   */
  const live = async (seconds: number, isUnchanged: () => Promise<unknown>) => {
    timeMs += seconds * 1000 - 1
    await stand()
    await work()
    await isUnchanged()
    timeMs += 1
    await stand()
    await work()
  }
  before(async () => {
    world = await startWorld()
    await stand()
  })
  after(() => world?.stop())

  const expectState = async (trade: DisputedTrade, state: string) =>
    expect((await disputeOf(world, trade)).state).to.equal(state)
  const disputed = async (trade: PaidTrade): Promise<DisputedTrade> => ({
    ...trade,
    disputeId: (await orderOf(world, trade)).dispute_id ?? '',
  })

  for (const mode of ['custodied', 'contract'] as const) {
    it(`in ${mode} mode: opens for the buyer, is decided, and executed when nobody appeals [spec 3.1:19]`, async () => {
      const { rules } = world.settings
      const paid = await paidTrade(world, mode)
      await deliver(world, paid, { hasBytes: false })
      await reject(world, paid, 'Nothing came.')
      await live(rules.rejectionWindowSeconds, async () =>
        expect((await orderOf(world, paid)).state).to.equal('rejected'),
      )
      expect((await orderOf(world, paid)).state).to.equal('disputed')
      const trade = await disputed(paid)
      expect(await disputeOf(world, trade)).to.include({ state: 'open', opener: 'buyer' })
      await live(rules.disputeEvidenceSeconds, () => expectState(trade, 'open'))
      await expectState(trade, 'decided')
      await live(rules.appealWindowSeconds, () => expectState(trade, 'decided'))
      await expectState(trade, mode === 'custodied' ? 'closed' : 'executing')
      await mined(world, trade, 20_000_000n)
      expect(await disputeOf(world, trade)).to.include({
        state: 'closed',
        outcome: 'verdict',
        refund_micros: 20_000_000n,
      })
      expect((await orderOf(world, trade)).state).to.equal('final')
      expect((await eventsOf(world, trade)).slice(-8)).to.deep.equal([
        'order.rejected',
        ...['order.disputed', 'dispute.opened', 'receipt.disputed'],
        ...['verdict.signed', 'dispute.decided', 'verdict.resolved', 'receipt.finalized'],
      ])
    })

    it(`in ${mode} mode: a human has thirty days, then the facts decide`, async () => {
      const trade = await disputeIn(world, mode, 'in_review')
      await live(world.settings.rules.humanReviewSeconds, () => expectState(trade, 'in_review'))
      // Nothing is proved against the delivery, and the seller keeps what it did not offer.
      expect(await disputeOf(world, trade)).to.include({ outcome: 'verdict', refund_micros: REFUND })
    })
  }

  it('that end while the payment is gone from the chain wait until it is back', async () => {
    const trade = await dispute(world, await rejectedTrade(world, 'custodied'), DECIDABLE)
    await world.db
      .updateTable('market.disputes')
      .set({ remind_at: new Date(timeMs + 7_200_000) })
      .where('id', '=', trade.disputeId)
      .execute()
    const before = await disputeOf(world, trade)
    await world.db
      .updateTable('market.orders')
      .set({ suspended_at: new Date(timeMs) })
      .where('id', '=', trade.orderId)
      .execute()
    timeMs += 3_600_000
    await stand()
    await work()
    await expectState(trade, 'open')
    // A model that was asked before may answer now.
    const asked = await disputeIn(world, 'custodied', 'arbitrating')
    await world.db
      .updateTable('market.orders')
      .set({ suspended_at: new Date(timeMs) })
      .where('id', '=', asked.orderId)
      .execute()
    const answer = { kind: 'escalated', reason: 'unsure', promptVersion: 'x' } as const
    expect(await world.run((tx) => concludeModel(tx, world.settings, asked.disputeId, answer))).to.equal(false)
    await expectState(asked, 'arbitrating')
    await world.run((tx) => extendDispute(tx, trade.orderId))
    const after = await disputeOf(world, trade)
    for (const deadline of ['due_at', 'remind_at'] as const)
      expect(after[deadline]?.getTime(), deadline).to.equal((before[deadline]?.getTime() ?? 0) + 3_600_000)
  })

  it('outlast the expiry of a custodied hold: the dispute decides', async () => {
    const trade = await disputeIn(world, 'custodied', 'decided')
    await world.db
      .updateTable('market.orders')
      .set({ expires_at: new Date(0) })
      .where('id', '=', trade.orderId)
      .execute()
    await work()
    expect(await holdOf(world, trade)).to.include({ status: 'held' })
    timeMs += world.settings.rules.appealWindowSeconds * 1000
    await stand()
    await work()
    expect(await holdOf(world, trade)).to.include({ status: 'released', released_payer_micros: REFUND })
  })
})
