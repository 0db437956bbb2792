import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { criteriaSha256, specHash } from '../../../../protocol/records/baseline.ts'
import { acceptProposal } from '../../../../sdk/proposals.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { type Bidding, startBidding, wish } from '../../../kit/api/trading/bids/bidding.ts'
import { deliver, funded, type PlacedOrder, placed, read, type Trader, threadOf } from '../../../kit/api/trading.ts'

const LINES = { id: 'lines', text: 'Forty-two.', check: { kind: 'units', of: 'lines', expected: 42, distinct: true } }
const TYPE = { id: 'type', text: 'As text.', check: { kind: 'media_types', any_of: ['text/plain'] } }
const RHYMES = { id: 'rhymes', text: 'It rhymes.' }

describe('criteria', () => {
  let bidding: Bidding
  let buyer: Trader
  let seller: Trader

  before(async () => {
    bidding = await startBidding()
    ;({ buyer, seller } = bidding)
  })

  after(() => bidding?.stop())

  const ask = (body: object) =>
    bidding.send('POST', '/v1/asks', seller.token, {
      title: 'Verse',
      description: 'Verse.',
      price: '20.000000',
      ...body,
    })
  const placedBy = async (by: Trader, body: Record<string, unknown>): Promise<PlacedOrder> => {
    const answer = await bidding.send('POST', '/v1/orders', by.token, { escrow_mode: 'custodied', ...body })
    expect(answer.status).to.equal(402)
    const { body: id } = answer.body.order_urn as { body: string }
    return { id, urn: urnString('order', id), buyer: by, seller, offer: answer.body as unknown as PlacedOrder['offer'] }
  }

  it('are pinned with the version of an ask that is bought, and part of what its receipt hashes', async () => {
    const criteria = [LINES, TYPE, RHYMES]
    const made = await ask({ criteria, criteria_complete: true })
    expect(made.body).to.deep.include({ criteria, criteria_complete: true })
    const urn = urnString('ask', (made.body.urn as { body: string }).body)
    const order = await placedBy(buyer, { ask_urn: urn })
    const revised = await bidding.send('PATCH', `/v1/asks/${urn}`, seller.token, { criteria: [TYPE] })
    expect(revised.body).to.deep.include({ criteria: [TYPE], criteria_complete: true, version: 2 })
    const first = await buyer.client.call('getAskVersion', { params: { urn, version: 1 } })
    expect(first.body.criteria).to.deep.equal(criteria)
    const measure = { criteria, criteria_complete: true }
    expect(await read(order)).to.deep.include({ ...measure, criteria_sha256: criteriaSha256(measure) })
    await funded(bidding.market, order)
    await deliver(order)
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
    const receipt = urnString('receipt', (await read(order)).receipt_urn?.body ?? '')
    const { signed } = (await buyer.client.call('getReceipt', { params: { urn: receipt } })).body
    expect(signed?.document.spec_hash).to.equal(specHash({ description: 'Verse.', ...measure }))
  })

  it('of a bid bind its quotes, unless a quote has its own', async () => {
    const bid = await bidding.posted({ criteria: [LINES] })
    const ownQuote = await bidding.quoted(bid, seller, { criteria: [RHYMES], criteria_complete: true })
    const own = await placedBy(buyer, { bid_urn: bid.urn, quote_urn: ownQuote.urn })
    expect(await read(own)).to.deep.include({ criteria: [RHYMES], criteria_complete: true })
    const other = await bidding.posted({ criteria: [LINES] })
    const plainQuote = await bidding.quoted(other)
    const plain = await placedBy(buyer, { bid_urn: other.urn, quote_urn: plainQuote.urn })
    expect(await read(plain)).to.deep.include({ criteria: [LINES], criteria_complete: false })
    const { body } = await bidding.send('GET', `/v1/bids/${other.urn}`, seller.token)
    expect(body.criteria).to.deep.equal([LINES])
  })

  it('are absent where there are none, and the receipt then hashes the description alone', async () => {
    const order = await placed(buyer, seller, 'custodied')
    expect(await read(order)).to.not.have.any.keys('criteria', 'criteria_complete', 'criteria_sha256')
    expect(specHash({ description: 'Verse.', criteria: [], criteria_complete: false })).to.match(/^[0-9a-f]{64}$/)
  })

  it('change by an accepted change of scope, and by nothing that is only proposed', async () => {
    const order = await funded(bidding.market, await placed(buyer, seller, 'custodied', { criteria: [LINES] }))
    const thread_urn = await threadOf(order)
    const payload = { changes: { criteria: [TYPE, RHYMES], criteria_complete: true } }
    const { body } = await buyer.client.call('postMessage', {
      body: { thread_urn, kind: 'scope_change_proposal', payload },
    })
    expect((await read(order)).criteria).to.deep.equal([LINES])
    const message = { ...body, urn: { prefix: 'message' as const, body: body.urn.slice(-36) } }
    await acceptProposal(seller.client, message as unknown as Parameters<typeof acceptProposal>[1])
    expect(await read(order)).to.deep.include({ criteria: [TYPE, RHYMES], criteria_complete: true })
    const { body: bought } = await buyer.client.call('getOrder', { params: { urn: order.urn } })
    expect(bought.amendments).to.have.length(1)
  })

  it('that nobody could check are refused, and say which', async () => {
    const schema = (given: unknown) => ({ id: 'one', text: 'It fits.', check: { kind: 'json_schema', schema: given } })
    const refused: [object[], string][] = [
      [[LINES, LINES], 'criteria'],
      [[{ ...LINES, id: 'Lines!' }], 'criteria.0.id'],
      [[{ ...LINES, text: '' }], 'criteria.0.text'],
      [[{ ...TYPE, check: { kind: 'media_types', any_of: ['application/x-verse'] } }], 'criteria.0.check.any_of.0'],
      [[{ ...TYPE, check: { kind: 'taste' } }], 'criteria.0.check.kind'],
      [[schema({ type: 'string', pattern: '(a+)+$' })], 'criteria.0.check.schema'],
      [[schema({ items: { $ref: 'https://example.com/schema.json' } })], 'criteria.0.check.schema'],
      [[schema({ type: 'verse' })], 'criteria.0.check.schema'],
      [[schema({ enum: Array.from({ length: 5_000 }, (_, at) => `line ${at}`) })], 'criteria'],
      [Array.from({ length: 21 }, (_, at) => ({ ...RHYMES, id: `r${at}` })), 'criteria'],
    ]
    for (const [criteria, field] of refused) expectProblem(await ask({ criteria }), 400, 'request/invalid', field)
    expect(
      (await ask({ criteria: [schema({ type: 'array', items: { type: 'string' }, minItems: 42 })] })).status,
    ).to.equal(201)
    const bid = await bidding.send('POST', '/v1/bids', buyer.token, { ...wish, criteria: [LINES, LINES] })
    expectProblem(bid, 400, 'request/invalid', 'criteria')
  })
})
