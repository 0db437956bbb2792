import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { urnString } from '../../protocol/encoding/urn.ts'
import { type Api, expectProblem, type Request } from '../kit/api/platform/http/api.ts'
import { newAsk, newTrader, startMarket, type TestMarket, type Trader } from '../kit/api/trading.ts'
import { connectHttp, type ToolUser } from '../kit/mcp/agent.ts'

const MAX_WRITES = 40
const MAX_READS = 200
const MAX_LIST_BYTES = 43_000
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const ASK = { title: 'Verse', description: 'Forty-two lines.', price: '20.000000' }

describe('POST /mcp', () => {
  let market: TestMarket
  let api: Api
  let buyer: Trader
  let seller: Trader
  before(async () => {
    market = await startMarket({ rules: { maxWrites: MAX_WRITES, maxReads: MAX_READS, rateWindowSeconds: 3_600 } })
    api = market.api
    buyer = await newTrader({ api }, { wallet: 'unbound' })
    seller = await newTrader({ api }, { wallet: 'unbound' })
  })
  after(() => market.stop())

  /** Sends one request of JSON-RPC, and returns the answer with the size of its body. */
  async function post(token: string, body: unknown, more: Request = {}, path = '/mcp') {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(more.headers as Record<string, string> | undefined),
    }
    const response = await fetch(new URL(path, api.baseUrl), { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text }
  }
  const create = (key?: string) => ({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'create_ask', arguments: { ...ASK, ...(key ? { idempotency_key: key } : {}) } },
  })
  const asks = async ({ agentId }: Trader) =>
    (await api.db.selectFrom('market.asks').select('id').where('seller_id', '=', agentId).execute()).length
  async function as(trader: Trader, work: (agent: ToolUser) => Promise<void>) {
    const agent = await connectHttp(api.baseUrl, trader.token)
    try {
      await work(agent)
    } finally {
      await agent.close()
    }
  }

  it('refuses a token that is unknown, and says whether it was the token', async () => {
    for (const token of ['x', `market_pat_${'A'.repeat(43)}`, '']) {
      const body = token === '' ? LIST : [LIST]
      const { status, headers, text } = await post(token, body)
      expect([token, status]).to.deep.equal([token, 401])
      expect(JSON.parse(text).type).to.equal('market:error:auth/unauthenticated')
      expect(headers.get('www-authenticate')).to.equal(
        token === '' ? 'Bearer realm="market"' : 'Bearer error="invalid_token"',
      )
      expect(headers.get('ratelimit-policy')).to.match(/^"anonymous"/)
    }
  })

  it('takes no session', async () => {
    const { status } = await post('', LIST, { headers: { cookie: 'market_session=x' } })
    expect(status).to.equal(401)
  })

  it('takes one request at a time', async () => {
    const { status, text } = await post(
      buyer.token,
      Array.from({ length: 50 }, (_, id) => ({ ...LIST, id })),
    )
    expect(status).to.equal(400)
    const { type, detail } = JSON.parse(text)
    expect(type).to.equal('market:error:request/malformed')
    expect(detail).to.match(/batch/)
    expect(text.length).to.be.below(1_000)
  })

  it('counts each request to the account of its token, and does nothing beyond its quota', async () => {
    const spent = await newTrader({ api }, { wallet: 'unbound' })
    const first = await post(spent.token, LIST)
    expect(first.headers.get('ratelimit')).to.match(new RegExp(`^"reads";r=${MAX_READS - 1};`))
    await sql`update limits.windows set used = ${MAX_READS} where subject = ${spent.agentId} and policy = 'reads'`.execute(
      api.db,
    )
    const refused = await post(spent.token, create())
    expect(refused.status).to.equal(429)
    expect(JSON.parse(refused.text).type).to.equal('market:error:request/rate-limited')
    expect(Number(refused.headers.get('retry-after'))).to.be.above(60)
    expect(await asks(spent)).to.equal(0)
    await sql`delete from limits.windows where subject = ${spent.agentId}`.execute(api.db)
    await sql`insert into limits.windows (subject, policy, used, resets_at)
      values (${spent.agentId}, 'writes', ${MAX_WRITES}, clock_timestamp() + interval '1 hour')`.execute(api.db)
    const spentWrites = await post(spent.token, create())
    expect(spentWrites.text).to.match(/request\/rate-limited/)
    expect(await asks(spent)).to.equal(0)
  })

  it('takes whatever Accept stands for both forms of an answer, and no other', async () => {
    for (const [accept, expected] of [
      ['*/*', 200],
      ['application/*, text/*;q=0.5', 200],
      ['application/json, text/event-stream', 200],
      ['text/html', 406],
      ['*/*, application/json;q=0, text/event-stream;q=0', 406],
    ] as const) {
      const { status } = await post(buyer.token, LIST, { headers: { accept } })
      expect([accept, status]).to.deep.equal([accept, expected])
    }
  })

  it('refuses a body that is no JSON, or that two readers could understand differently', async () => {
    for (const raw of ['{', '{"id":1,"id":2}', '']) {
      const headers = { accept: '*/*' }
      expectProblem(await api.send('POST', '/mcp', { token: buyer.token, raw, headers }), 400, 'request/malformed')
    }
  })

  it('has a list that an agent can be expected to read, and the schemas of answers where they are asked for', async () => {
    const { text } = await post(buyer.token, LIST)
    expect(Buffer.byteLength(text)).to.be.below(MAX_LIST_BYTES)
    expect(text).not.to.match(/outputSchema/)
    expect((await post(buyer.token, LIST, {}, '/mcp?output_schemas=true')).text).to.match(/outputSchema/)
  })

  it('says of each tool whether it changes, destroys, or may be repeated', async () => {
    const { text } = await post(buyer.token, LIST)
    const { tools } = JSON.parse(text.replace(/^[\s\S]*?data: /, '')).result as {
      tools: { name: string; annotations: Record<string, unknown>; inputSchema: { properties: object } }[]
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
    for (const { name, annotations, inputSchema } of tools) {
      const { readOnlyHint, destructiveHint, idempotentHint } = annotations
      expect(
        [readOnlyHint, destructiveHint, idempotentHint].map((hint) => typeof hint),
        name,
      ).to.deep.equal(Array(3).fill('boolean'))
      if (readOnlyHint) expect([destructiveHint, idempotentHint], name).to.deep.equal([false, true])
      // A writing tool takes a key, and a reading one needs none.
      expect('idempotency_key' in inputSchema.properties, name).to.equal(!readOnlyHint)
      expect(inputSchema, name).to.have.property('additionalProperties', false)
    }
    expect(hints.accept_delivery).to.include({ destructiveHint: true, idempotentHint: true })
    expect(hints.create_ask).to.include({ destructiveHint: false, idempotentHint: false })
  })

  it('orders once for one key, however often it is asked', async () => {
    const ask_urn = urnString('ask', (await newAsk(seller)).body)
    await as(buyer, async (agent) => {
      const order = { ask_urn, ask_version: 1, max_price: '20.000000', idempotency_key: 'one' }
      const first = await agent.use('place_order', order)
      expect(first.refusal).to.equal(undefined)
      // As when its price has risen meanwhile: what was ordered is ordered.
      await seller.client.call('reviseAsk', {
        params: { urn: ask_urn },
        body: { price: '30.000000' },
        headers: { 'if-match': '"1"' },
      })
      expect((await agent.use('place_order', order)).order_urn).to.equal(first.order_urn)
      expect((await agent.use('place_order', { ...order, max_price: '19.000000' })).refusal).to.match(
        /Nothing was signed/,
      )
      expect((await agent.use('place_order', { ...order, idempotency_key: 'two' })).refusal).to.match(/asks\/revised/)
      const { orders } = (await agent.use('list_orders')) as unknown as { orders: unknown[] }
      expect(orders).to.have.length(1)
      const other = await agent.use('create_bid', {
        title: 'Verse',
        description: 'Lines.',
        max_price: '5.000000',
        idempotency_key: 'one',
      })
      expect(other.refusal, 'a key is of one tool').to.equal(undefined)
      const changed = await agent.use('create_bid', {
        title: 'Prose',
        description: 'Lines.',
        max_price: '5.000000',
        idempotency_key: 'one',
      })
      expect(changed.refusal).to.match(/idempotency\/key-reused/)
      const malformed = await agent.use('create_bid', {
        title: 'Prose',
        description: 'Lines.',
        max_price: '5.000000',
        idempotency_key: 'a b',
      })
      expect(malformed.refusal).to.match(/idempotency_key|Idempotency-Key/)
    })
  })

  it('refuses arguments that a tool does not know, and does nothing', async () => {
    await as(seller, async (agent) => {
      const before = await asks(seller)
      const { refusal } = await agent.use('create_ask', { ...ASK, sla_secnds: 60 })
      expect(refusal).to.match(/sla_secnds/)
      expect(await asks(seller)).to.equal(before)
      const claim = { grounds: ['incomplete'], what_happened: 'Nothing.', requested_refnd: '1.000000' }
      const order_urn = `market:order:${seller.agentId}`
      expect((await agent.use('open_dispute', { order_urn, claim })).refusal).to.match(/requested_refnd/)
      expect((await agent.use('get_order', { order_urn, wait: 'funded' })).refusal).to.match(/wait/)
    })
  })
})
