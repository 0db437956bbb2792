import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { urnString } from '../../protocol/encoding/urn.ts'
import { createMarket } from '../../sdk/market.ts'
import { ApiProblem, isProblem } from '../../sdk/problem.ts'
import { type Api, startApi } from '../kit/api/platform/http/api.ts'
import { newTrader } from '../kit/api/trading.ts'

describe('the market by the names of its operations', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())

  const ask = { title: 'Verse', description: 'Forty-two lines.', price: '20.000000' }
  const marketOf = async (send: typeof fetch = fetch) => {
    const { token } = await newTrader({ api }, { wallet: 'unbound' })
    return createMarket({ baseUrl: api.baseUrl, token, fetch: send })
  }

  it('has one effect, though the answer to the first attempt was lost', async () => {
    let isLost = false
    const market = await marketOf(async (url, request) => {
      const answer = await fetch(url, request)
      if (isLost) return answer
      isLost = true
      await answer.body?.cancel()
      throw new TypeError('the connection was reset')
    })
    const { status, body } = await market.call('createAsk', { body: ask })
    expect([status, isLost]).to.deep.equal([201, true])
    const mine = await Array.fromAsync(market.pages('listAsks', {}))
    expect(mine.map(({ urn }) => urnString('ask', urn.body))).to.deep.equal([urnString('ask', body.urn.body)])
  })

  it('answers a call with its status and body, which another call names in its path', async () => {
    const market = await marketOf()
    const { status, body } = await market.call('createAsk', { body: ask })
    expect(status).to.equal(201)
    const read = await market.call('getAsk', { params: { urn: urnString('ask', body.urn.body) } })
    expect(read.body).to.deep.equal(body)
  })

  it('sends a write under a key of its own, or the one that it is given, and a read under none', async () => {
    const keys: (string | null)[] = []
    const market = await marketOf((url, request) => {
      keys.push(new Headers(request?.headers).get('idempotency-key'))
      return fetch(url, request)
    })
    await market.call('getMe', {})
    for (const given of [{}, {}, { idempotencyKey: 'a-key-of-mine' }])
      await market.call('createAsk', { body: ask, ...given })
    const [none, first, second, given] = keys
    expect([none, given, keys.length]).to.deep.equal([null, 'a-key-of-mine', 4])
    expect(first)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.to.equal(second)
  })

  it('throws a problem also when something in between answers with a page', async () => {
    const page = new Response('<h1>Not here</h1>', { status: 404, headers: { 'content-type': 'text/html' } })
    const market = createMarket({ baseUrl: api.baseUrl, fetch: async () => page })
    const error = await market.call('getMe', {}).catch((thrown) => thrown)
    expect(error).to.be.instanceOf(ApiProblem).and.to.deep.include({ status: 404, type: 'about:blank' })
  })

  it('does not repeat what was refused', async () => {
    let attempts = 0
    const market = await marketOf((url, request) => {
      attempts++
      return fetch(url, request)
    })
    const refused = await market.call('createAsk', { body: { ...ask, price: '20' } }).catch((error) => error)
    expect(refused).to.be.instanceOf(ApiProblem)
    expect(isProblem(refused, 'market:error:request/invalid')).to.equal(true)
    expect(isProblem(refused, 'market:error:request/too-large')).to.equal(false)
    expect(attempts).to.equal(1)
  })

  it('repeats what the service could not answer for now', async () => {
    let attempts = 0
    const busy = new Response(null, { status: 503, headers: { 'retry-after': '0' } })
    const { token } = await newTrader({ api }, { wallet: 'unbound' })
    const waits: { untilMs: number; status: number | undefined }[] = []
    const market = createMarket({
      baseUrl: api.baseUrl,
      token,
      fetch: (url, request) => (++attempts === 1 ? Promise.resolve(busy) : fetch(url, request)),
      onWait: (wait) => waits.push(wait),
    })
    const before = Date.now()
    expect((await market.call('getMe', {})).status).to.equal(200)
    expect(attempts).to.equal(2)
    expect(waits.map(({ status }) => status)).to.deep.equal([503])
    expect(waits[0]?.untilMs).to.be.within(before, Date.now())
  })

  it('tells when a call may be made again that would wait too long here', async () => {
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '3600' }
    const problem = { type: 'market:error:request/rate-limited', status: 429 }
    const market = await marketOf(async () => Response.json(problem, { status: 429, headers }))
    const error = await market.call('getMe', {}).catch((thrown) => thrown)
    expect(error).to.be.instanceOf(ApiProblem).and.to.include({ status: 429, retryAfterSeconds: 3_600 })
  })

  it('repeats a write whose earlier attempt, which was lost, is still being worked on', async () => {
    const keys: (string | null)[] = []
    const problem = { type: 'market:error:idempotency/in-flight', status: 409 }
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '0' }
    const market = await marketOf((url, request) => {
      keys.push(new Headers(request?.headers).get('idempotency-key'))
      return keys.length === 1 ? Promise.resolve(Response.json(problem, { status: 409, headers })) : fetch(url, request)
    })
    expect((await market.call('createAsk', { body: ask })).status).to.equal(201)
    expect(keys).to.have.length(2)
    expect(keys[1]).to.be.a('string').and.equal(keys[0])
  })

  it('tells all that a problem says', async () => {
    const problem = {
      ...{ type: 'market:error:account/not-settled', title: 'Not settled', detail: 'Settle it.', status: 409 },
      ...{ instance: 'market:request:1', reasons: [{ code: 'orders_open', count: 2 }] },
    }
    const answer = Response.json(problem, { status: 409, headers: { 'content-type': 'application/problem+json' } })
    const market = createMarket({ baseUrl: api.baseUrl, fetch: async () => answer })
    const error = await market.call('getMe', {}).catch((thrown) => thrown)
    expect(error).to.be.instanceOf(ApiProblem).and.to.deep.include(problem)
    expect(error).to.include({ field: undefined, code: undefined })
  })

  it('walks the pages of a list', async () => {
    const market = await marketOf()
    for (const title of ['one', 'two', 'three']) await market.call('createAsk', { body: { ...ask, title } })
    const titles = await Array.fromAsync(market.pages('listAsks', { query: { limit: 2 } }))
    expect(titles.map(({ title }) => title)).to.have.members(['one', 'two', 'three'])
  })
})
