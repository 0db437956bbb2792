import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { keySet } from '../../../../api/config/publicConfig.ts'
import { readReputation, readWindow } from '../../../../api/trading/reputation/read.ts'
import { recordReputation } from '../../../../api/trading/reputation/record.ts'
import { reputationWeight } from '../../../../protocol/reputationWeight.ts'
import { urnString } from '../../../../protocol/urn.ts'
import { verifyReputationAnswer } from '../../../../sdk/reputation.ts'
import { expectProblem } from '../../platform/http/api.ts'
import {
  delivered,
  newTrader,
  type PlacedOrder,
  passTime,
  placed,
  startMarket,
  type TestMarket,
  type Trader,
} from '../../trading.ts'

const DAY = 86_400

describe('reputation', () => {
  let market: TestMarket
  let buyer: Trader
  before(async () => {
    market = await startMarket()
    buyer = await newTrader(market)
  })
  after(() => market?.stop())

  const settled = async (seller: Trader, { by = buyer, price = '20.000000' } = {}): Promise<PlacedOrder> => {
    const order = await delivered(market, await placed(by, seller, 'custodied', { price }))
    await by.client.call('acceptOrder', { params: { urn: order.urn } })
    return order
  }
  const rate = (order: PlacedOrder, rating: number, comment?: string) =>
    order.buyer.client.call('rateOrder', { body: { order_urn: order.urn, rating, ...(comment ? { comment } : {}) } })
  const recordOf = async ({ agentId }: Trader) =>
    (await buyer.client.call('getReputation', { params: { urn: urnString('agent', agentId) } })).body
  const rateAs = (token: string, order: PlacedOrder) =>
    market.api.send('POST', '/v1/ratings', { token, body: { order_urn: order.urn, rating: 5 } })

  /** What all sums would be if they were made anew from the records: rows that differ, either way. */
  const differences = async () => {
    const { rows } = await sql`
      with anew as (
        select contribution.subject_id, sum((sums).receipts) as receipts, sum((sums).weighted_stars) as stars,
          sum((sums).rated_weight) as rated, sum((sums).lost_weight) as lost, sum((sums).completed_weight) as completed,
          sum((sums).volume_micros) as volume, sum((sums).fee_micros) as fees, sum((sums).conceded) as conceded,
          count(distinct contribution.counterparty_id) filter (where (sums).receipts > 0) as counterparties
        from market.contribution_sources source
        join market.contributions decided using (order_id)
        cross join lateral (select source.*) contribution
        cross join lateral (
          select market.sums_of((source.order_id, source.subject_id, source.buyer_id, source.counterparty_id,
            source.finalized_at, source.weight, source.price_micros, source.refunded_micros, source.fee_micros, source.stars,
            source.loser, source.conceded, decided.ineligible_because)::market.contributions) as sums
        ) one
        group by 1
      ), kept as (
        select subject_id, receipts, weighted_stars, rated_weight, lost_weight, completed_weight, volume_micros, fee_micros,
          conceded, counterparties
        from market.reputation_totals
      )
      (select * from anew except select * from kept) union all (select * from kept except select * from anew)`.execute(
      market.api.db,
    )
    return rows
  }

  it('is nothing for who has settled nothing, and no agent has none', async () => {
    const seller = await newTrader(market)
    expect(await recordOf(seller)).to.deep.include({
      ...{ unweighted_count: 0, weighted_rating_avg: 0, weighted_dispute_loss_rate: 0, composite_score: 0 },
      weighted_volume_usdc: '0.000000',
    })
    const nobody = urnString('agent', seller.humanId)
    const reply = await market.api.send('GET', `/v1/reputation/${nobody}`, { token: buyer.token })
    expectProblem(reply, 404, 'resource/not-found')
  })

  it('weighs each rating by the logarithm of the order’s cost', async () => {
    const seller = await newTrader(market)
    await rate(await settled(seller, { price: '20.000000' }), 5)
    await rate(await settled(seller, { price: '100.000000' }), 2)
    await settled(seller)
    const [small, large] = [reputationWeight(20_000_000n), reputationWeight(100_000_000n)]
    const average = ((5n * small + 2n * large) * 1_000_000n) / (small + large)
    expect(await recordOf(seller)).to.deep.include({
      unweighted_count: 3,
      weighted_rating_avg: Number(average) / 1e6,
      weighted_volume_usdc: '140.000000',
      fees_paid: '7.000000',
      distinct_counterparties: 1,
      largest_counterparty_share: 1,
    })
    expect(await differences()).to.deep.equal([])
  })

  it('is rated by the buyer alone, once, when the order is final, in the window; and answered by the seller once', async () => {
    const [seller, stranger] = [await newTrader(market), await newTrader(market)]
    const open = await delivered(market, await placed(buyer, seller, 'custodied'))
    expectProblem(await rateAs(buyer.token, open), 409, 'orders/state-conflict')
    const order = await settled(seller)
    expectProblem(await rateAs(seller.token, order), 403, 'auth/forbidden')
    expectProblem(await rateAs(stranger.token, order), 404, 'resource/not-found')
    const { body: rating } = await rate(order, 4, 'Good verse.')
    expectProblem(await rateAs(buyer.token, order), 409, 'ratings/exists')
    const answer = { params: { urn: urnString('rating', rating.urn.body) }, body: { reply: 'Thank you.' } }
    const answered = await seller.client.call('replyToRating', answer)
    expect(answered.body).to.deep.include({ rating: 4, comment: 'Good verse.', reply: 'Thank you.' })
    const path = `/v1/ratings/${answer.params.urn}/reply`
    expectProblem(
      await market.api.send('POST', path, { token: seller.token, body: answer.body }),
      409,
      'ratings/exists',
    )
    expectProblem(await market.api.send('POST', path, { token: buyer.token, body: answer.body }), 403, 'auth/forbidden')
    const { body } = await stranger.client.call('listRatings', {
      query: { seller_urn: urnString('agent', seller.agentId) },
    })
    expect(body.ratings).to.deep.equal([answered.body])
    const late = await settled(seller)
    await passTime(market.api, 14 * DAY + 1)
    expectProblem(await rateAs(buyer.token, late), 409, 'orders/window-closed')
  })

  it('is not earned by trading with oneself, whichever agent of one’s own it is', async () => {
    const seller = await newTrader(market)
    const sibling = await newTrader(market, { owner: seller })
    await rate(await settled(seller, { by: sibling }), 5)
    expect(await recordOf(seller)).to.deep.include({ unweighted_count: 0, weighted_rating_avg: 0 })
    expect(await differences()).to.deep.equal([])
  })

  it('raises a listing in search only for who was rated above the middle', async () => {
    const [good, bad] = [await newTrader(market), await newTrader(market)]
    await rate(await settled(good), 5)
    await rate(await settled(bad), 1)
    const permille = async ({ agentId }: Trader) =>
      (
        await market.api.db
          .selectFrom('market.agents')
          .select('reputation_permille')
          .where('id', '=', agentId)
          .executeTakeFirstOrThrow()
      ).reputation_permille
    expect(await permille(good)).to.be.greaterThan(0)
    expect(await permille(bad)).to.equal(0)
  })

  it('answers conditions with a signature over question and answer, which fits no other', async () => {
    const seller = await newTrader(market)
    await rate(await settled(seller), 5)
    const ask = async (conditions: Record<string, number>) =>
      (
        await buyer.client.call('queryReputation', {
          body: { subject_urn: urnString('agent', seller.agentId), conditions },
        })
      ).body
    const answer = await ask({ min_unweighted_count: 1, window_months: 1, min_weighted_rating_avg: 4.5 })
    expect(answer).to.deep.include({ result: true })
    expect((await ask({ min_unweighted_count: 2 })).result).to.equal(false)
    const { keys } = await keySet(market.api.db, market.api.settings)
    expect(await verifyReputationAnswer(answer, keys)).to.equal(true)
    const other = { ...answer, subject_urn: urnString('agent', buyer.agentId) }
    expect(await verifyReputationAnswer(other, keys)).to.equal(false)
    expect(await verifyReputationAnswer({ ...answer, conditions: {} }, keys)).to.equal(false)
  })

  it('of a buyer is shown to who sells to it: disputes that it lost, and that are open', async () => {
    const [seller, own] = [await newTrader(market), await newTrader(market)]
    const order = await delivered(market, await placed(own, seller, 'custodied'))
    const { body: bid } = await own.client.call('createBid', {
      body: { title: 'Index', description: 'An index.', max_price: '5.000000' },
    })
    const offer = { bid_urn: urnString('bid', bid.urn.body), price: '4.000000' }
    const { body: quote } = await seller.client.call('createQuote', { body: offer })
    const params = { urn: urnString('quote', quote.urn.body) }
    const shown = async (as: Trader) => [
      (await as.client.call('getOrder', { params: { urn: order.urn } })).body.buyer_record,
      (await as.client.call('listOrders', { query: {} })).body.orders[0]?.buyer_record,
      (await as.client.call('getQuote', { params })).body.buyer_record,
    ]
    const sees = async (record: object) => {
      expect(await shown(seller)).to.deep.equal([record, record, record])
      expect(await shown(own)).to.deep.equal([undefined, undefined, undefined])
    }
    await sees({ disputes_lost: 0, disputes_open: 0 })
    await own.client.call('rejectOrder', { params: { urn: order.urn }, body: {} })
    await own.client.call('openDispute', {
      body: { order_urn: order.urn, opener_urn: urnString('agent', own.agentId), claim: 'Not so.' },
    })
    await sees({ disputes_lost: 0, disputes_open: 1 })
    await own.client.call('acceptOrder', { params: { urn: order.urn } })
    await sees({ disputes_lost: 1, disputes_open: 0 })
  })

  it('counts no order outside the months that are asked for', async () => {
    const seller = await newTrader(market)
    await settled(seller)
    await passTime(market.api, 62 * DAY)
    const ask = async (window_months: number) =>
      (
        await buyer.client.call('queryReputation', {
          body: { subject_urn: urnString('agent', seller.agentId), conditions: { window_months } },
        })
      ).body.supporting.unweighted_count
    expect([await ask(1), await ask(3)]).to.deep.equal([0, 1])
  })

  it('comes to the same, in whatever order ratings and verdicts come and are superseded, as made anew', async () => {
    const sellers = await Promise.all([newTrader(market), newTrader(market)])
    const orders: PlacedOrder[] = []
    for (const seller of sellers)
      for (const price of ['1.000000', '7.500000']) orders.push(await settled(seller, { price }))
    const act = fc.record({
      order: fc.constantFrom(...orders),
      loser: fc.constantFrom('buyer', 'seller', null),
      stars: fc.constantFrom(1, 3, 5, null),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 6 }), async (acts) => {
        for (const { order, loser, stars } of acts) await rewrite(order, loser, stars)
        expect(await differences()).to.deep.equal([])
        for (const { agentId } of sellers) await expectSameOverAllTime(agentId)
      }),
      { numRuns: 15 },
    )
  })

  /** A query over all months sums up what the record keeps. */
  async function expectSameOverAllTime(agentId: string) {
    await market.api.db.transaction().execute(async (tx) => {
      const { receipts, averageMicros, lossRateMicros, volumeMicros } = await readReputation(tx, agentId, 9_000n)
      const window = await readWindow(tx, agentId, undefined)
      expect(window).to.deep.equal({ receipts, averageMicros, lossRateMicros, volumeMicros })
    })
  }

  /** Changes the records of an order as verdicts and ratings would, and has its reputation follow. */
  async function rewrite({ id, seller }: PlacedOrder, loser: 'buyer' | 'seller' | null, stars: number | null) {
    await market.api.db.transaction().execute(async (tx) => {
      await sql`delete from market.ratings where order_id = ${id}`.execute(tx)
      if (stars !== null) {
        await sql`insert into market.ratings (id, order_id, seller_id, stars)
          values (gen_random_uuid(), ${id}, ${seller.agentId}, ${stars})`.execute(tx)
      }
      await sql`
        insert into market.disputes (id, order_id, state, opener, outcome, refund_micros, closed_at)
        values (${id}, ${id}, 'closed', 'buyer', 'release', 0, market.now()) on conflict do nothing`.execute(tx)
      const outcome = loser === 'seller' ? 'concession' : 'release'
      await sql`update market.disputes set outcome = ${outcome} where id = ${id}`.execute(tx)
      await recordReputation(tx, market.api.settings, id)
    })
  }
})
