import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { urnString } from '../../protocol/encoding/urn.ts'
import { type FollowOptions, followEvents, type MarketEvent } from '../../sdk/events.ts'
import { createMarket } from '../../sdk/market.ts'
import { ApiProblem } from '../../sdk/problem.ts'
import { tell } from '../kit/api/platform/events/log.ts'
import { type Api, startApi } from '../kit/api/platform/http/api.ts'
import { newTrader, type Trader } from '../kit/api/trading.ts'

// What follows on without ever seeing what it waits for ends by this, and its test fails.
const LIMIT_MS = 20_000

describe('following events with the SDK', () => {
  let api: Api
  let buyer: Trader
  before(async () => {
    api = await startApi()
    buyer = await newTrader({ api }, { wallet: 'unbound' })
  })
  after(() => api.stop())

  const follow = (options: Partial<FollowOptions> = {}) =>
    followEvents({ baseUrl: api.baseUrl, token: buyer.token, signal: AbortSignal.timeout(LIMIT_MS), ...options })

  /** Takes so many events, and ends the iteration. */
  async function take(events: AsyncGenerator<MarketEvent>, count: number): Promise<MarketEvent[]> {
    const taken: MarketEvent[] = []
    for await (const event of events) if (taken.push(event) === count) break
    return taken
  }

  it('gives each event in order, typed, and goes on from its cursor', async () => {
    const orders = [await tell(api, [buyer.agentId]), await tell(api, [buyer.agentId], 'order.cancelled')]
    const [first, second] = await take(follow({ from: 'earliest', subjects: ['order.*'] }), 2)
    expect([first, second].map((event) => event?.event_type === 'bid.posted' || event?.payload)).to.have.length(2)
    if (first?.event_type !== 'order.funded') throw new Error('it is another event')
    expect([first.payload.order_urn, first.payload.price]).to.deep.equal([orders[0], '20.000000'])
    const [again] = await take(follow({ from: first.cursor }), 1)
    expect(again).to.deep.equal(second)
  })

  it('begins at the place that it is given, and names none where it is given none', async () => {
    const asked: (string | null)[] = []
    const refuse: typeof fetch = async (url, init) => {
      expect(new Headers(init?.headers).get('accept')).to.equal('text/event-stream')
      asked.push(new URL(String(url)).searchParams.get('last_event_id'))
      return Response.json({}, { status: 401 })
    }
    for (const place of [{}, { from: 'earliest' }]) {
      const refused = await take(follow({ ...place, fetch: refuse }), 1).catch((error: unknown) => error)
      expect(refused).to.be.instanceOf(ApiProblem)
    }
    expect(asked).to.deep.equal([null, 'earliest'])
  })

  it('goes on by itself when its connection is lost, and misses nothing', async () => {
    let connections = 0
    // Each connection ends after some bytes, in the middle of whatever they are.
    const lossy: typeof fetch = async (url, init) => {
      connections++
      const response = await fetch(url, init)
      let left = 700
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          controller.enqueue(chunk.subarray(0, left))
          left -= chunk.length
          if (left <= 0) controller.error(new Error('the connection was lost'))
        },
      })
      return new Response(response.body?.pipeThrough(cut), response)
    }
    const orders = []
    const { body } = await api.send('GET', '/v1/events?cursor=latest', { token: buyer.token })
    for (let n = 0; n < 4; n++) orders.push(await tell(api, [buyer.agentId]))
    const events = await take(follow({ from: String(body.cursor), fetch: lossy }), 4)
    expect(events.map(({ payload }) => 'order_urn' in payload && payload.order_urn)).to.deep.equal(orders)
    expect(connections).to.be.above(2)
  })

  it('throws what repeating does not change', async () => {
    for (const [options, status] of [
      [{ token: 'x' }, 401],
      [{ from: 'x' }, 410],
      [{ subjects: ['x'] }, 400],
    ] as const) {
      const error = await follow(options)
        .next()
        .catch((thrown) => thrown)
      expect(error).to.be.instanceOf(ApiProblem)
      expect(error.status).to.equal(status)
    }
  })

  it('gives a human the events of the agent that they name', async () => {
    const { humanToken: token, agentId } = buyer
    const others = await newTrader({ api }, { wallet: 'unbound' })
    const human = createMarket({ baseUrl: api.baseUrl, token, agent: urnString('agent', agentId) })
    const { body } = await api.send('GET', '/v1/events?cursor=latest', { token })
    await tell(api, [others.agentId])
    const order = await tell(api, [agentId])
    const [event] = await take(human.events({ from: String(body.cursor), signal: AbortSignal.timeout(LIMIT_MS) }), 1)
    expect(event && 'order_urn' in event.payload && event.payload.order_urn).to.equal(order)
    const stranger = createMarket({ baseUrl: api.baseUrl, token, agent: urnString('agent', others.agentId) })
    const refused = await stranger
      .events()
      .next()
      .catch((error) => error)
    expect(refused).to.be.instanceOf(ApiProblem).and.to.include({ status: 403 })
  })

  it('ends when it is told to', async () => {
    const abort = new AbortController()
    const events = follow({ signal: abort.signal })
    const next = events.next()
    abort.abort()
    expect(await next).to.deep.equal({ value: undefined, done: true })
  })
})
