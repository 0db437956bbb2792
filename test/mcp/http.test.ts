import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../cli/machine/paths.ts'
import { urnString } from '../../protocol/encoding/urn.ts'
import type { PaymentOffer } from '../../sdk/offer.ts'
import { expectProblem } from '../kit/api/platform/http/api.ts'
import { whileChecking } from '../kit/api/trading/criteria.ts'
import { decideDispute } from '../kit/api/trading/disputes/arbitration.ts'
import {
  confirmPayment,
  funded,
  newTrader,
  placed,
  signed,
  startMarket,
  type TestMarket,
  type Trader,
} from '../kit/api/trading.ts'
import { connectHttp, type ToolUser } from '../kit/mcp/agent.ts'

const WORK = 'Forty-two lines of verse.'

describe('the tools of an agent, over HTTP', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    market = await startMarket()
    buyer = await newTrader(market)
    seller = await newTrader(market)
  })
  after(() => market.stop())

  for (const mode of ['auto', 'legacy'] as const) {
    it(`are a whole trade, to a client that negotiates ${mode}`, async () => {
      const options = mode === 'auto' ? { versionNegotiation: { mode } } : {}
      const connect = ({ token }: Trader) => connectHttp(market.api.baseUrl, token, options)
      const [buying, selling] = await Promise.all([connect(buyer), connect(seller)])
      try {
        await trade(buying, selling)
      } finally {
        await Promise.all([buying.close(), selling.close()])
      }
    })
  }

  async function trade(buying: ToolUser, selling: ToolUser): Promise<void> {
    const title = `Verse ${createHash('sha256').update(String(Math.random())).digest('hex').slice(0, 12)}`
    await selling.use('create_ask', { title, description: 'Forty-two lines.', price: '20.000000' })
    const found = (await buying.use('search_asks', { q: `"${title}"` })).asks as { urn: string }[]
    const ask_urn = found[0]?.urn
    const { version } = await buying.use('get_ask', { ask_urn })
    const purchase = { ask_urn, ask_version: version, max_price: '20.000000' }
    expect((await buying.use('place_order', { ...purchase, max_price: '19.999999' })).refusal).to.match(
      /Nothing was ordered/,
    )

    const offer = await buying.use('place_order', purchase)
    const order_urn = String(offer.order_urn)
    const id = order_urn.split(':')[2] ?? ''
    const wire = { ...offer, order_urn: { prefix: 'order', body: id } } as unknown as PaymentOffer
    const order = { id, urn: order_urn, buyer, seller, offer: wire }
    const { refusal, state } = await buying.use('fund_order', {
      order_urn,
      signed_authorization: await signed(market, order),
    })
    expect([refusal, state]).to.deep.equal([undefined, 'placed'])
    const funded = selling.use('get_order', { order_urn, wait_for: 'funded' })
    await confirmPayment(market, order)
    expect(await funded)
      .to.include({ state: 'funded' })
      .and.have.property('next_step')
      .that.match(/deliver/)

    await selling.use('deliver', { order_urn, text: WORK, send: true })
    const { messages } = await buying.use('list_messages', { order_urn })
    expect((messages as { body: string }[]).map(({ body }) => body)).to.include(WORK)
    const delivery = await buying.use('get_delivery', { order_urn })
    expect(delivery).to.include({ text: WORK, has_output_hash: true })
    expect(delivery.untrusted_text).to.include('text')
    const other = await buying.use('accept_delivery', { order_urn, output_hash: 'ab'.repeat(32) })
    expect(other.refusal).to.match(/not the one you looked at/)
    expect((await buying.use('get_order', { order_urn })).state).to.equal('delivered')
    const output_hash = createHash('sha256').update(WORK).digest('hex')
    const accepted = await buying.use('accept_delivery', { order_urn, output_hash })
    expect(accepted.state).to.equal('final')
    expect(accepted.untrusted_text).to.include('title')
    expect((await buying.use('rate_order', { order_urn, rating: 5, comment: 'Rhymes.' })).rating).to.equal(5)
  }

  it('settle what the parties do not agree on, about a file that was uploaded', async () => {
    const order = await funded(market, await placed(buyer, seller, 'custodied'))
    const { urn: order_urn } = order
    const [buying, selling] = await Promise.all(
      [order.buyer, order.seller].map(({ token }) => connectHttp(market.api.baseUrl, token)),
    )
    if (!buying || !selling) throw new Error('nobody is connected')
    try {
      expect((await selling.use('send_message', { order_urn, kind: 'work_started' })).kind).to.equal('work_started')
      const seen = await selling.use('deliver', { order_urn, text: WORK, send: false })
      expect(seen).to.include({ message_urn: null, checks_pending: false })
      expect((await buying.use('get_order', { order_urn })).state).to.equal('in_flight')
      await selling.use('deliver', { order_urn, text: WORK, filename: 'verse.txt', send: true })
      const { text, filename, has_output_hash, output_hash } = await buying.use('get_delivery', { order_urn })
      expect({ text, filename, has_output_hash }).to.deep.equal({
        text: WORK,
        filename: 'verse.txt',
        has_output_hash: true,
      })
      await buying.use('reject_delivery', { order_urn, output_hash, reason: 'No rhymes.' })
      const claim = { grounds: ['incomplete'], what_happened: 'It does not rhyme.', requested_refund: '20.000000' }
      const { urn: dispute_urn, refusal } = await buying.use('open_dispute', { order_urn, claim })
      expect(refusal).to.equal(undefined)
      const response = { grounds: ['incomplete'], what_happened: 'Half of it does.', offered_refund: '10.000000' }
      await selling.use('respond_to_dispute', { dispute_urn, response })
      const payload = { refund: '8.000000' }
      await selling.use('send_message', { order_urn, kind: 'remedy_proposal', payload, text: 'Eight back.' })
      const messages = (await buying.use('list_messages', { order_urn })).messages as Record<string, string>[]
      const { urn: message_urn, sha256 } = messages.find(({ kind }) => kind === 'remedy_proposal') ?? {}
      await buying.use('accept_proposal', { message_urn, sha256 })
      expect(await buying.use('get_dispute', { dispute_urn })).to.include({ outcome: 'settlement', refund: '8.000000' })
    } finally {
      await Promise.all([buying.close(), selling.close()])
    }
  })

  it('show a seller which criteria its work fails, and send it only when told to', async () => {
    const criteria = [{ id: 'size', text: 'Long.', check: { kind: 'size', min_bytes: 100 } }]
    const { urn: order_urn } = await funded(market, await placed(buyer, seller, 'custodied', { criteria }))
    const [buying, selling] = await Promise.all(
      [buyer, seller].map(({ token }) => connectHttp(market.api.baseUrl, token)),
    )
    if (!buying || !selling) throw new Error('nobody is connected')
    await whileChecking(market.api, async () => {
      const deliver = (more: object) => selling.use('deliver', { order_urn, text: WORK, send: true, ...more })
      const refused = await deliver({})
      expect(refused).to.deep.include({
        message_urn: null,
        checks: [{ number: 1, kind: 'size', result: 'fail', found: WORK.length }],
      })
      expect(refused.next_step).to.match(/criteria 1 fail/)
      expect((await buying.use('get_order', { order_urn })).state).to.equal('funded')
      expect((await deliver({ despite_failing: true })).message_urn).to.match(/^market:message:/)
      expect((await buying.use('get_delivery', { order_urn })).has_bytes).to.equal(true)
    })
    await Promise.all([buying.close(), selling.close()])
  })

  it('trade on what a buyer asks for: a bid, quotes on it, and an order on one', async () => {
    const [buying, selling] = await Promise.all(
      [buyer, seller].map(({ token }) => connectHttp(market.api.baseUrl, token)),
    )
    if (!buying || !selling) throw new Error('nobody is connected')
    try {
      const asked = { title: 'Verse', description: 'Forty-two lines.', max_price: '20.000000' }
      const { urn: bid_urn } = await buying.use('create_bid', asked)
      const bids = (await selling.use('list_bids')).bids as { urn: string }[]
      expect(bids.map(({ urn }) => urn)).to.include(bid_urn)
      const quote = { bid_urn, price: '18.000000', message: 'By tomorrow.' }
      const { urn: first } = await selling.use('create_quote', quote)
      expect((await selling.use('withdraw_quote', { quote_urn: first })).state).to.equal('withdrawn')
      const { urn: quote_urn } = await selling.use('create_quote', quote)
      const { quotes, untrusted_text } = await buying.use('list_quotes', { bid_urn })
      expect((quotes as { urn: string; state: string }[]).map(({ urn, state }) => [urn, state])).to.deep.equal([
        [quote_urn, 'open'],
        [first, 'withdrawn'],
      ])
      expect(untrusted_text).to.include('message')
      const order = (more: object) => buying.use('place_order', { max_price: '18.000000', ...more })
      expect((await order({})).refusal).to.match(/Name what to order/)
      expect((await order({ quote_urn, max_price: '17.999999' })).refusal).to.match(/Nothing was ordered/)
      expect((await order({ quote_urn })).amount).to.equal('18.000000')
      expect((await buying.use('close_bid', { bid_urn })).state).to.equal('closed')
    } finally {
      await Promise.all([buying.close(), selling.close()])
    }
  })

  it('take a verdict to a human, or let it stand', async () => {
    const agents = await Promise.all([buyer, seller].map(({ token }) => connectHttp(market.api.baseUrl, token)))
    const [buying, selling] = agents
    if (!buying || !selling) throw new Error('nobody is connected')
    try {
      const { dispute_urn, message_urn } = await disputed(buying, selling)
      // Some libraries write UUIDs in capitals.
      const evidence = [String(message_urn).replace(/[^:]+$/, (id) => id.toUpperCase())]
      expect((await selling.use('submit_evidence', { dispute_urn, evidence })).refusal).to.equal(undefined)
      await selling.use('close_evidence', { dispute_urn })
      await buying.use('close_evidence', { dispute_urn })
      await decideDispute(market.api, String(dispute_urn))
      const { state, verdict_urn } = await buying.use('get_dispute', { dispute_urn })
      expect(state).to.equal('decided')
      expect((await buying.use('get_verdict', { verdict_urn })).refusal).to.equal(undefined)
      const waived = await selling.use('waive_appeal', { dispute_urn })
      expect(waived.state).to.equal('decided')
      expect(waived.untrusted_text).to.include('files')
      const cheap = await buying.use('appeal_verdict', { dispute_urn, max_fee: '0.999999' })
      expect(cheap.refusal).to.match(/fee is 1\.000000.*Nothing was signed/)
      expect((await buying.use('appeal_verdict', { dispute_urn, max_fee: '1.000000' })).amount).to.equal('1.000000')
      const statement = 'The verdict counts the title as a line.'
      expect((await buying.use('state_appeal', { dispute_urn, statement })).refusal).to.equal(undefined)
      const unsigned = await buying.use('fund_appeal', { dispute_urn, signed_authorization: 'e30=' })
      expect(unsigned.refusal).to.match(/authorization\/malformed/)
    } finally {
      await Promise.all(agents.map((agent) => agent.close()))
    }
  })

  async function disputed(buying: ToolUser, selling: ToolUser) {
    const { urn: order_urn } = await funded(market, await placed(buyer, seller, 'custodied'))
    const { urn: message_urn, output_hash } = await deliveredText(buying, selling, order_urn)
    await buying.use('reject_delivery', { order_urn, output_hash, reason: 'Another subject.' })
    const claim = { grounds: ['changed_mind'], what_happened: 'I want another subject.', requested_refund: '20.000000' }
    const { urn: dispute_urn } = await buying.use('open_dispute', { order_urn, claim })
    return { dispute_urn, message_urn }
  }

  async function deliveredText(buying: ToolUser, selling: ToolUser, order_urn: string) {
    const { message_urn: urn } = await selling.use('deliver', { order_urn, text: WORK, send: true })
    return { urn, output_hash: (await buying.use('get_delivery', { order_urn })).output_hash }
  }

  it('act as the agent that a human names', async () => {
    const headers = { 'market-agent': urnString('agent', seller.agentId) }
    const offer = { title: 'Verse', description: 'Lines.', price: '20.000000' }
    for (const [named, outcome] of [
      [headers, { seller_urn: headers['market-agent'] }],
      [{}, { refusal: /^403 market:error:auth/ }],
    ] as const) {
      const human = await connectHttp(market.api.baseUrl, seller.humanToken, {}, named)
      const answer = await human.use('create_ask', offer)
      if ('refusal' in outcome) expect(answer.refusal).to.match(outcome.refusal)
      else expect(answer).to.include(outcome)
      await human.close()
    }
  })

  it('refuse with the type of the problem and what to do, and may do what the token may', async () => {
    const reader = await newTrader(market, { scopes: ['read'], wallet: 'unbound' })
    const agent = await connectHttp(market.api.baseUrl, reader.token)
    try {
      const { refusal } = await agent.use('create_ask', { title: 'Verse', description: 'Lines.', price: '20.000000' })
      expect(refusal).to.match(/^403 market:error:auth\/scope/)
      const stranger = await agent.use('get_order', { order_urn: `market:order:${buyer.agentId}` })
      expect(stranger.refusal).to.match(/^404 /)
      expect(agent.tools)
        .to.include.members(['search_asks', 'open_dispute', 'list_orgs', 'list_pages'])
        .and.not.include('buy')
    } finally {
      await agent.close()
    }
  })

  it('are those that the documentation lists', async () => {
    const agent = await connectHttp(market.api.baseUrl, buyer.token)
    await agent.close()
    const page = await readFile(`${ROOT}docs/mcp.md`, 'utf8')
    const [, section = ''] = /\n## Tools\n([\s\S]*?)\n## /.exec(page) ?? []
    const names = section.match(/(?<=`)[a-z]+(?:_[a-z]+)*(?=`)/g) ?? []
    const listed = [...new Set(names)].filter((name) => !/^(send|wait_for|max_price|max_fee)$/.test(name))
    expect(listed).to.have.members([...agent.tools, 'buy', 'pay_appeal'])
  })

  it('say what the token may still spend, and refuse what is more', async () => {
    const spend_limit = { per_order: '15.000000', per_day: '30.000000' }
    const body = { owner_urn: urnString('agent', buyer.agentId), scopes: ['read', 'transact'], spend_limit }
    const minted = await market.api.send('POST', '/v1/me/tokens', { token: buyer.humanToken, body })
    const agent = await connectHttp(market.api.baseUrl, String(minted.body.secret))
    try {
      const order = await placed(buyer, seller, 'custodied')
      const signed_authorization = await signed(market, order)
      const { refusal } = await agent.use('fund_order', { order_urn: order.urn, signed_authorization })
      expect(refusal).to.match(/^403 market:error:tokens\/spend-limit.* at most 15\.000000 at once/)
      const { resets_at, ...spending } = await agent.use('get_spending')
      expect(resets_at).to.match(/T00:00:00\.000Z$/)
      const token_urn = urnString('token', minted.body.urn.body)
      const nothing = { spent_today: '0.000000', left_today: '30.000000' }
      expect(spending).to.deep.equal({ token_urn, spend_limit, ...nothing })
    } finally {
      await agent.close()
    }
  })

  it('are refused without a token, and say no more to pages of other origins, which may use one', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expectProblem(await market.api.send('POST', '/mcp', { body }), 401, 'auth/unauthenticated')
    const headers = { origin: 'https://app.example', accept: 'application/json, text/event-stream' }
    expectProblem(await market.api.send('POST', '/mcp', { body, headers }), 403, 'auth/origin-refused', 'Origin')
    const answer = await market.api.send('POST', '/mcp', { token: buyer.token, body, headers })
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*')
  })
})
