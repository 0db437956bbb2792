import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import canonicalize from 'canonicalize'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { keySet } from '../../../../api/config/publicConfig.ts'
import { readReputation, readWindow } from '../../../../api/trading/reputation/internal/read.ts'
import { recordReputation } from '../../../../api/trading/reputation/record.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { reputationWeight } from '../../../../protocol/records/reputationWeight.ts'
import { verifyReputationAnswer } from '../../../../sdk/reputation.ts'
import { bindWallet } from '../../../../sdk/wallet.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  contributionsOf,
  copyOrder,
  differences,
  PERMUTATIONS,
  record,
} from '../../../kit/api/trading/reputation/records.ts'
import {
  createdBy,
  delivered,
  newTrader,
  type PlacedOrder,
  passTime,
  placed,
  startMarket,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

const DAY = 86_400

interface Contract {
  paths: { '/v1/reputation/queries': { post: { responses: { 200: { description: string } } } } }
}

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

  const permille = async ({ agentId }: Trader) => {
    const agents = market.api.db.selectFrom('market.agents').select('reputation_permille').where('id', '=', agentId)
    return (await agents.executeTakeFirstOrThrow()).reputation_permille
  }
  const becauseOf = async ({ agentId }: Trader) => {
    const kept = market.api.db.selectFrom('market.contributions').select('ineligible_because')
    const rows = await kept.where('subject_id', '=', agentId).execute()
    return rows.map(({ ineligible_because: because }) => because)
  }

  it('is nothing for who has settled nothing, and no agent has none [spec 1:15 2.2:5 2.14:1 4:34 8.1:4]', async () => {
    const seller = await newTrader(market)
    expect(await recordOf(seller)).to.deep.include({
      ...{ unweighted_count: 0, weighted_rating_avg: 0, weighted_dispute_loss_rate: 0, composite_score: 0 },
      weighted_volume_usdc: '0.000000',
      ...{ alpha: 0.9, weighting_function: 'log(1 + cost_usdc)' },
    })
    for (const nobody of [urnString('agent', seller.humanId), urnString('human', seller.agentId)]) {
      const reply = await market.api.send('GET', `/v1/reputation/${nobody}`, { token: buyer.token })
      expectProblem(reply, 404, 'resource/not-found')
    }
  })

  it('of a human is empty, whatever its agents have sold', async () => {
    const seller = await newTrader(market)
    await rate(await settled(seller), 5)
    const urn = urnString('human', seller.humanId)
    const { body } = await buyer.client.call('getReputation', { params: { urn } })
    expect(body).to.deep.include({ urn, unweighted_count: 0, composite_score: 0, weighted_volume_usdc: '0.000000' })
    const asked = { subject_urn: urn, conditions: { min_unweighted_count: 1 } }
    const { body: answer } = await buyer.client.call('queryReputation', { body: asked })
    expect(answer).to.deep.include({ subject_urn: urn, result: false })
  })

  it('weighs each rating by the logarithm of the order’s cost [spec 2.14:2 8.1:1]', async () => {
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
    const { composite_score } = await recordOf(seller)
    const query = { seller_urn: urnString('agent', seller.agentId) }
    for (const { seller: listed } of (await buyer.client.call('searchAsks', { query })).body.asks)
      expect(listed).to.deep.include({
        unweighted_count: 3,
        weighted_rating_avg: Number(average) / 1e6,
        composite_score,
      })
    expect(await differences(market)).to.deep.equal([])
  })

  it('is rated by the buyer alone, once, when the order is final, in the window; and answered by the seller once [spec 2.10:6 2.14:5 4:33]', async () => {
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
    expect(await differences(market)).to.deep.equal([])
  })

  it('is not earned by trading with people whom one has created, nor with theirs', async () => {
    const seller = await newTrader(market)
    const created = await createdBy(market, seller)
    for (const owner of [created, await createdBy(market, created)]) {
      await rate(await settled(seller, { by: await newTrader(market, { owner }) }), 5)
    }
    expect(await recordOf(seller)).to.deep.include({ unweighted_count: 0, weighted_rating_avg: 0 })
    expect(await becauseOf(seller)).to.deep.equal(['same_owner', 'same_owner'])
  })

  it('is not earned by a purchase that was paid from a wallet of the seller', async () => {
    const [seller, payer] = [await newTrader(market), await newTrader(market, { wallet: 'unbound' })]
    const order = await delivered(market, await placed(payer, seller, 'custodied'))
    await bindWallet(seller.client, payer.wallet)
    await payer.client.call('acceptOrder', { params: { urn: order.urn } })
    expect(await recordOf(seller)).to.deep.include({ unweighted_count: 0 })
    expect(await becauseOf(seller)).to.deep.equal(['shared_wallet'])
  })

  it('counts a person who buys by several accounts once, in the record and in the rank [risk many-accounts API6]', async () => {
    const [spread, plain] = [await newTrader(market), await newTrader(market)]
    const [first, other] = [await newTrader(market), await newTrader(market)]
    const second = await newTrader(market, { owner: await createdBy(market, first) })
    for (const by of [first, second]) await rate(await settled(spread, { by }), 5)
    for (const by of [other, other]) await rate(await settled(plain, { by }), 5)
    expect(await recordOf(spread)).to.deep.include({ distinct_counterparties: 1, largest_counterparty_share: 1 })
    expect(await permille(spread)).to.equal(await permille(plain))
    expect(await differences(market)).to.deep.equal([])
  })

  it('counts no counterparty who was refunded all, and so has cost no fee', async () => {
    const seller = await newTrader(market)
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    await seller.client.call('cancelOrder', { params: { urn: order.urn }, body: { reason_code: 'other' } })
    expect(await recordOf(seller)).to.deep.include({
      ...{ unweighted_count: 1, distinct_counterparties: 0, largest_counterparty_share: 0 },
      ...{ weighted_volume_usdc: '0.000000', fees_paid: '0.000000', conceded_count: 1 },
    })
    expect(await differences(market)).to.deep.equal([])
  })

  it('raises a listing in search only for who was rated above the middle [spec 4:14]', async () => {
    const [good, bad] = [await newTrader(market), await newTrader(market)]
    await rate(await settled(good), 5)
    await rate(await settled(bad), 1)
    expect(await permille(good)).to.be.greaterThan(0)
    expect(await permille(bad)).to.equal(0)
  })

  it('answers conditions with a signature over question and answer, which fits no other [spec 4:35]', async () => {
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

  it('signs what the contract says it signs: anyone can check an answer from that text and the published keys [spec 4:35 9:11]', async () => {
    const seller = await newTrader(market)
    await rate(await settled(seller), 4)
    const { token } = buyer
    const body = { subject_urn: urnString('agent', seller.agentId), conditions: { min_weighted_rating_avg: 3.5 } }
    const answered = await market.api.send('POST', '/v1/reputation/queries', { token, body })
    const answer = answered.body as unknown as Record<string, unknown> & { key_id: string; signature: string }
    const contract = (await market.api.send('GET', '/openapi.json')).body as unknown as Contract
    const { description } = contract.paths['/v1/reputation/queries'].post.responses[200]
    const [, ...outside] = /of all members but `(\w+)` and `(\w+)`/.exec(description) ?? []
    const signed = Object.fromEntries(Object.entries(answer).filter(([name]) => !outside.includes(name)))
    const { keys } = (await market.api.send('GET', '/v1/keys', { token })).body as unknown as {
      keys: (JsonWebKey & { kid: string })[]
    }
    const jwk = keys.find(({ kid }) => kid === answer.key_id)
    if (!jwk) throw new Error(`${answer.key_id} is not published`)
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const isSigned = (document: object) =>
      verify(
        null,
        Buffer.from(canonicalize(document) ?? ''),
        key,
        Buffer.from(answer.signature.replace('ed25519:', ''), 'base64url'),
      )
    expect(isSigned(signed)).to.equal(true)
    for (const name of Object.keys(signed)) expect(isSigned({ ...signed, [name]: null }), name).to.equal(false)
    expect(isSigned({ ...signed, key_id: answer.key_id })).to.equal(false)
  })

  it('answers no condition that it does not know [spec 4:35]', async () => {
    const body = { subject_urn: urnString('agent', buyer.agentId), conditions: { min_weighted_volume: 5 } }
    const reply = await market.api.send('POST', '/v1/reputation/queries', { token: buyer.token, body })
    expectProblem(reply, 400, 'request/invalid', 'conditions.min_weighted_volume')
  })

  it('of a buyer is shown to who sells to it: disputes that it lost, and that are open [spec 8.1:3]', async () => {
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

  it('counts in the months that are asked for what it counts in all, and nothing that was earned with oneself', async () => {
    const seller = await newTrader(market)
    await rate(await settled(seller), 4)
    const sibling = await newTrader(market, { owner: seller })
    await rate(await settled(seller, { by: sibling, price: '90.000000' }), 5)
    expect((await becauseOf(seller)).filter((because) => because === null)).to.have.length(1)
    const within = (months: number | undefined) =>
      market.api.db.transaction().execute((tx) => readWindow(tx, { kind: 'agent', id: seller.agentId }, months))
    const all = await within(undefined)
    expect(await within(1)).to.deep.equal(all)
    expect(all).to.include({ receipts: 1n })
  })

  it('counts no order outside the months that are asked for [spec 4:35]', async () => {
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

  it('begins a month at midnight in UTC, whichever time zone the database is in', async () => {
    const seller = await newTrader(market)
    const { id } = await settled(seller)
    const counted = (hours: number) =>
      market.api.db.transaction().execute(async (tx) => {
        await sql`set local time zone 'Pacific/Kiritimati'`.execute(tx)
        await sql`update market.receipts
          set finalized_at = (date_trunc('day', market.now() at time zone 'UTC') - interval '1 month') at time zone 'UTC'
            + make_interval(hours => ${hours}) where order_id = ${id}`.execute(tx)
        await recordReputation(tx, market.api.settings, id)
        return (await readWindow(tx, { kind: 'agent', id: seller.agentId }, 1)).receipts
      })
    expect([await counted(-1), await counted(0)]).to.deep.equal([0n, 1n])
  })

  it('comes to the same, in whatever order ratings and verdicts come and are superseded, as made anew [spec 2.14:3 8.1:2]', async () => {
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
        expect(await differences(market)).to.deep.equal([])
        for (const { agentId } of sellers) await expectSameOverAllTime(agentId)
      }),
      { numRuns: 15 },
    )
  })

  for (const winner of ['buyer', 'seller'] as const) {
    it(`is the same however settlement, rating, verdict and the one that supersedes it come, if the ${winner} wins`, async () => {
      const seller = await newTrader(market)
      const original = await delivered(market, await placed(buyer, seller, 'custodied', { price: '7.500000' }))
      for (const records of PERMUTATIONS) {
        await market.api.db.transaction().execute(async (tx) => {
          const id = await copyOrder(tx, original.id)
          for (const what of records) {
            await record(tx, id, what, winner)
            await recordReputation(tx, market.api.settings, id)
          }
        })
        expect(await differences(market), records.join(', ')).to.deep.equal([])
      }
      const [first, ...others] = await contributionsOf(market.api.db, seller.agentId)
      expect(first).to.deep.include(
        winner === 'buyer' ? { loser: 'seller', stars: 4 } : { loser: 'buyer', stars: null },
      )
      expect(others).to.deep.equal(Array.from({ length: PERMUTATIONS.length - 1 }, () => first))
    })
  }

  /** A query over all months sums up what the record keeps. */
  async function expectSameOverAllTime(agentId: string) {
    const account = { kind: 'agent', id: agentId } as const
    await market.api.db.transaction().execute(async (tx) => {
      const { receipts, averageMicros, lossRateMicros, volumeMicros } = await readReputation(tx, account, 9_000n)
      const window = await readWindow(tx, account, undefined)
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
