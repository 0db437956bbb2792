import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { createHuman } from '../../../../../api/identity/accounts/createHuman.ts'
import { clearText } from '../../../../../api/trading/disputes/assignment/clear.ts'
import { askModels } from '../../../../../api/trading/disputes/work/askModels.ts'
import { giveUp } from '../../../../../api/trading/disputes/work/end.ts'
import { lockOrderRow } from '../../../../../api/trading/orders/record/find.ts'
import { startWorld, type World } from '../../../../kit/api/payments/escrow/world.ts'
import { jobServices } from '../../../../kit/api/trading/disputes/arbitration.ts'
import {
  type Endpoint,
  flags,
  says,
  startEndpoint,
  verdict,
} from '../../../../kit/api/trading/disputes/model/endpoint.ts'
import { type DisputedTrade, disputeIn, disputeOf, rule } from '../../../../kit/api/trading/disputes/world.ts'

describe('a dispute before a model', () => {
  let world: World
  let endpoint: Endpoint
  before(async () => {
    ;[world, endpoint] = [await startWorld(), await startEndpoint()]
    world.settings.model = endpoint.settings()
  })
  after(async () => {
    await endpoint?.stop()
    await world?.stop()
  })

  const ask = () => askModels(jobServices(world))
  const waiting = async () => {
    const trade = await disputeIn(world, 'custodied', 'arbitrating')
    expect(await rule(world, trade)).to.equal(true)
    return trade
  }
  const rowOf = ({ disputeId }: DisputedTrade) =>
    world.db.selectFrom('market.arbitrations').selectAll().where('dispute_id', '=', disputeId).executeTakeFirst()
  const verdictsOf = async ({ disputeId }: DisputedTrade) =>
    world.db.selectFrom('market.verdicts').selectAll().where('dispute_id', '=', disputeId).execute()

  it('is decided by it, in a verdict that names what it was told [spec 1:12 3.3:5] [risk model-provider]', async () => {
    endpoint.answer(says(verdict({ refund_bps: 4_000 })))
    const trade = await waiting()
    expect((await disputeOf(world, trade)).state).to.equal('arbitrating')
    await ask()
    expect((await disputeOf(world, trade)).state).to.equal('decided')
    const [signed] = await verdictsOf(trade)
    // The seller offers eight of twenty.
    expect(signed).to.include({ kind: 'model', payer_micros: 8_000_000n })
    expect(JSON.parse(signed?.document ?? '').prompt_version).to.match(/^judge@/)
    expect(await rowOf(trade)).to.include({ attempts: 1, result: 'decided', ask_at: null })
    await ask()
    expect(endpoint.received).to.have.length(2)
  })

  it('goes to a human if its answer cannot be used [spec 3.1:21]', async () => {
    endpoint.answer(says('The buyer is right.'))
    const trade = await waiting()
    await ask()
    expect(await disputeOf(world, trade)).to.deep.include({ state: 'in_review', flags: ['model_answer_unusable'] })
  })

  it('goes to a human, who is told why, if it finds a text suspect [spec 3.1:22]', async () => {
    endpoint.answer(says(verdict()), flags('i1'))
    const trade = await waiting()
    await ask()
    expect(await disputeOf(world, trade)).to.deep.include({ state: 'in_review', flags: ['model_suspects_text'] })
    expect(await verdictsOf(trade)).to.deep.equal([])
  })

  it('is put before it again after half a minute and two, and then before a human', async () => {
    endpoint.answer((_received, response) => void response.writeHead(503).end())
    const trade = await waiting()
    for (const [attempts, seconds] of [
      [1, 30],
      [2, 120],
    ] as const) {
      await ask()
      const row = await sql<{ attempts: number; seconds: number }>`
        select attempts, extract(epoch from ask_at - market.now())::float as seconds
        from market.arbitrations where dispute_id = ${trade.disputeId}`.execute(world.db)
      expect(row.rows[0]?.attempts).to.equal(attempts)
      expect(row.rows[0]?.seconds).to.be.at.most(seconds).and.to.be.above(0)
      await sql`update market.arbitrations set ask_at = market.now() where ask_at is not null`.execute(world.db)
    }
    await ask()
    expect(await disputeOf(world, trade)).to.deep.include({ state: 'in_review', flags: ['model_unavailable'] })
    expect(endpoint.received).to.have.length(6)
  })

  it('that the parties end meanwhile is not decided by it', async () => {
    const trade = await waiting()
    endpoint.answer(async (received, response) => {
      if (endpoint.received.length === 2) {
        await world.run(async (tx) => {
          const order = await lockOrderRow(tx, trade.orderId)
          if (order) await giveUp(tx, { settings: world.settings }, order, 'seller')
        })
      }
      await says(verdict())(received, response)
    })
    await ask()
    expect(await disputeOf(world, trade)).to.include({ state: 'closed', outcome: 'concession' })
    expect(await verdictsOf(trade)).to.deep.equal([])
    expect(await rowOf(trade)).to.include({ result: 'dropped' })
  })

  it('with suspect text is not shown to it, unless a reviewer has cleared that', async () => {
    endpoint.answer(says(verdict()))
    const profile = { displayName: 'Reviewer', email: 'r@example.com', role: 'operator', isReviewer: true } as const
    const { urn } = await world.db
      .transaction()
      .execute((tx) => createHuman(tx, world.settings, { ...profile, createdBy: null }))
    endpoint.answer(says(verdict()), flags('i1'))
    for (const isHostile of [true, false]) {
      const trade = await disputeIn(world, 'custodied', 'pre_review')
      const call = { ...trade.buyer.call, actor: { ...trade.buyer.call.actor, humanId: urn.body, agentId: null } }
      await world.run((tx) => clearText(tx, call, trade.disputeId, isHostile))
      await rule(world, trade)
      await ask()
      expect((await disputeOf(world, trade)).state).to.equal(isHostile ? 'in_review' : 'decided')
      expect(endpoint.received).to.have.length(isHostile ? 0 : 2)
    }
  })

  it('is asked about once, by however many processes, and many are asked about at once', async () => {
    const trades: DisputedTrade[] = []
    for (let count = 0; count < 4; count++) trades.push(await waiting())
    const all = Promise.withResolvers<void>()
    endpoint.answer(async (received, response) => {
      // Nobody is answered before everybody has asked.
      if (endpoint.received.length === 8) all.resolve()
      await all.promise
      await says(verdict())(received, response)
    })
    await Promise.all([ask(), ask()])
    for (const trade of trades) expect((await disputeOf(world, trade)).state).to.equal('decided')
    expect(endpoint.received).to.have.length(8)
  })
})
