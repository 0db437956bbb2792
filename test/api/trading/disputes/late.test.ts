import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallInput } from '../../../../sdk/market.ts'
import { decideDispute } from '../../../kit/api/trading/disputes/arbitration.ts'
import {
  funded,
  newTrader,
  type PlacedOrder,
  placed,
  startMarket,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../../kit/api/trading.ts'

const WORK = 'the work'
type Response = Exclude<CallInput<'respondToDispute'>['body']['response'], string>
const answer = (grounds: Response['grounds']): Response => ({ grounds, what_happened: 'You agreed to it.' })

describe('a delay that the buyer disputes', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    market = await startMarket()
    ;[buyer, seller] = [await newTrader(market), await newTrader(market)]
  })
  after(() => market.stop())

  const say = async (by: Trader, order: PlacedOrder, kind: string, content: object) => {
    const { body } = await by.client.call('postMessage', {
      body: { thread_urn: await threadOf(order), kind, payload: { kind: 'text', ...content } },
    } as CallInput<'postMessage'>)
    return body.urn
  }
  const text = (by: Trader, order: PlacedOrder) => say(by, order, 'message', { text: 'Friday is fine.' })
  /** An order that is delivered at twice its time, with a message of each side before it and one after it. */
  const late = async () => {
    const order = await funded(market, await placed(buyer, seller, 'custodied'))
    await sql`update market.orders set sla_due_at = market.now() - make_interval(secs => sla_seconds)
      where id = ${order.id}`.execute(market.api.db)
    const agreed = await text(buyer, order)
    const own = await text(seller, order)
    const bytes = new TextEncoder().encode(WORK)
    const query = { order_urn: order.urn, output_hash: sha256Hex(bytes) }
    const { body } = await seller.client.call('uploadDelivery', { query, upload: bytes })
    const delivery_urn = urnString('delivery', body.delivery_urn.body)
    await say(seller, order, 'delivery_notice', { kind: 'delivery', output_hash: query.output_hash, delivery_urn })
    const afterwards = await text(buyer, order)
    await buyer.client.call('rejectOrder', { params: { urn: order.urn }, body: {} })
    return { order, agreed, own, afterwards, delivery_urn }
  }
  const open = async (by: Trader, order: PlacedOrder, grounds: Response['grounds'], evidence: string[] = []) => {
    const claim = { grounds, what_happened: 'It took twice the time.' }
    const opener_urn = urnString('agent', by.agentId)
    const { body } = await by.client.call('openDispute', {
      body: { order_urn: order.urn, opener_urn, claim, evidence },
    } as CallInput<'openDispute'>)
    return urnString('dispute', body.urn.body)
  }
  const respond = (by: Trader, urn: string, response: Response, evidence: string[] = []) =>
    by.client.call('respondToDispute', { params: { urn }, body: { response, evidence } })
  const outcome = async (urn: string) => {
    await decideDispute(market.api, urn)
    const { body } = await buyer.client.call('getDispute', { params: { urn } })
    return [body.state, ...body.flags]
  }
  const CONTESTED = ['in_review', 'delay_contested']

  it('is left to a human where the response names it and cites a message of the buyer before the delivery', async () => {
    const { order, agreed } = await late()
    const urn = await open(buyer, order, ['late'])
    await respond(seller, urn, answer(['late']), [agreed])
    expect(await outcome(urn)).to.deep.equal(CONTESTED)
  })

  it('is left to a human where the seller has cited the message as evidence before', async () => {
    const { order, agreed } = await late()
    const urn = await open(buyer, order, ['late'])
    await seller.client.call('submitEvidence', { params: { urn }, body: { evidence: [agreed] } })
    await respond(seller, urn, answer(['other', 'late']))
    expect(await outcome(urn)).to.deep.equal(CONTESTED)
  })

  it('is left to a human where the seller opens the dispute with the ground and the message', async () => {
    const { order, agreed } = await late()
    const urn = await open(seller, order, ['late'], [agreed])
    await respond(buyer, urn, answer(['late']))
    expect(await outcome(urn)).to.deep.equal(CONTESTED)
  })

  it('is decided by the clock after any other response', async () => {
    type Trade = Awaited<ReturnType<typeof late>>
    const responses: [string, Response['grounds'], (trade: Trade) => string[]][] = [
      ['no citation', ['late'], () => []],
      ['another ground', ['other'], ({ agreed }) => [agreed]],
      ['a message of its own', ['late'], ({ own }) => [own]],
      ['a message after the delivery', ['late'], ({ afterwards }) => [afterwards]],
      ['a delivery', ['late'], ({ delivery_urn }) => [delivery_urn]],
    ]
    for (const [name, grounds, cited] of responses) {
      const trade = await late()
      const urn = await open(buyer, trade.order, ['late'])
      await respond(seller, urn, answer(grounds), cited(trade))
      expect(await outcome(urn), name).to.deep.equal(['decided'])
      const { body } = await buyer.client.call('getDispute', { params: { urn } })
      const verdict = { urn: urnString('verdict', body.verdict_urn?.body ?? '') }
      expect((await buyer.client.call('getVerdict', { params: verdict })).body, name).to.deep.include({
        remedy: 'partial_refund',
        partial_amount_usdc: '10.000000',
        prompt_version: 'rules@5',
      })
    }
  })

  it('is not contested by a message that only the buyer cites', async () => {
    const { order, agreed } = await late()
    const urn = await open(buyer, order, ['late'], [agreed])
    await respond(seller, urn, answer(['late']))
    expect(await outcome(urn)).to.deep.equal(['decided'])
  })

  it('cannot be contested by a message of another order', async () => {
    const [{ order }, other] = [await late(), await late()]
    const urn = await open(buyer, order, ['late'])
    const error = await respond(seller, urn, answer(['late']), [other.agreed]).catch((reason: unknown) => reason)
    expect(error).to.include({ status: 422 })
    const { body } = await seller.client.call('getDispute', { params: { urn } })
    expect(body).to.not.have.property('response')
  })
})
