import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { ApiProblem, isProblem } from '../../sdk/problem.ts'
import { NetworkFault, sendWithRetries } from '../../sdk/retry.ts'

const URL_OF_CALL = new URL('http://localhost/v1/orders')

describe('a call that is sent again', { timeout: 10_000 }, () => {
  it('throws what the network threw, with the host and the reason, at once where its body is a stream', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const lost = new TypeError('fetch failed', { cause: refused })
    let sent = 0
    const send = async () => {
      sent++
      throw lost
    }
    const call = sendWithRetries(send, URL_OF_CALL, { method: 'POST', body: new Blob(['x']).stream() })
    const fault = await call.catch((error: unknown) => error)
    expect(fault).to.be.instanceOf(TypeError)
    expect(fault).to.include({ message: 'localhost does not answer: ECONNREFUSED', host: 'localhost', cause: lost })
    expect(sent).to.equal(1)
  })

  it('says what a browser says, which has no cause', () => {
    expect(new NetworkFault('market.example', new TypeError('Failed to fetch')).message).to.equal(
      'market.example does not answer: Failed to fetch',
    )
  })

  /**
   * Makes a call of a service that is away for so long, and returns its outcome, how often it was sent and
   * how long it took.
   */
  const callAway = async (
    context: TestContext,
    { awayMs, away, request = {} }: { awayMs: number; away: () => Response; request?: RequestInit },
  ) => {
    context.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    let sent = 0
    const send = async () => {
      sent++
      return Date.now() < awayMs ? away() : new Response(null, { status: 204 })
    }
    const call = sendWithRetries(send, URL_OF_CALL, request).then(
      ({ status }) => status,
      (error: Error) => error.message,
    )
    const outcome = await Promise.race([call, passTime(context)])
    return { outcome, sent, tookMs: Date.now() }
  }
  const passTime = async (context: TestContext) => {
    for (let passed = 0; passed < 200_000; passed += 100) {
      await turn()
      context.mock.timers.tick(100)
    }
    return 'never'
  }
  const refuse = (): never => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
  }
  const unavailable = () => new Response(null, { status: 503, headers: { 'retry-after': '1' } })

  for (const [name, away] of [
    ['answers 503', unavailable],
    ['refuses connections', refuse],
  ] as const) {
    it(`spends a minute on a service that ${name}, and no more`, async (context) => {
      const back = await callAway(context, { awayMs: 50_000, away })
      expect(back.outcome).to.equal(204)
      expect(back.sent).to.be.within(12, 25)
      context.mock.timers.reset()
      const gone = await callAway(context, { awayMs: Number.POSITIVE_INFINITY, away })
      expect(gone.outcome).to.be.oneOf([503, 'localhost does not answer: ECONNREFUSED'])
      expect(gone.tookMs).to.be.within(54_000, 60_000)
    })
  }

  it('waits as long as a 503 says, where that ends within the minute', async (context) => {
    const away = (seconds: string) => () => new Response(null, { status: 503, headers: { 'retry-after': seconds } })
    const waited = await callAway(context, { awayMs: 1, away: away('40') })
    expect(waited).to.include({ outcome: 204, sent: 2 })
    expect(waited.tookMs).to.be.within(40_000, 41_000)
    context.mock.timers.reset()
    expect(await callAway(context, { awayMs: 1, away: away('61') })).to.include({ outcome: 503, sent: 1 })
  })

  it('is sent four times where the service fails in another way', async (context) => {
    const away = () => new Response(null, { status: 500 })
    expect(await callAway(context, { awayMs: 50_000, away })).to.include({ outcome: 500, sent: 4 })
  })

  it('is sent once where a second time might act twice', async (context) => {
    const write = (headers: Record<string, string>) => ({ method: 'POST', headers })
    const away = { awayMs: 3_000, away: unavailable }
    expect(await callAway(context, { ...away, request: write({}) })).to.include({ outcome: 503, sent: 1 })
    context.mock.timers.reset()
    const keyed = await callAway(context, { ...away, request: write({ 'Idempotency-Key': 'one' }) })
    expect(keyed.outcome).to.equal(204)
  })

  it('ends at once when it was told to while the answer came', async () => {
    const stop = new AbortController()
    const send = async () => {
      stop.abort(new Error('enough'))
      return new Response(null, { status: 503, headers: { 'retry-after': '30' } })
    }
    const call = sendWithRetries(send, URL_OF_CALL, { signal: stop.signal })
    expect(String(await call.catch((error: unknown) => error))).to.include('enough')
  })
})

describe('a problem', () => {
  it('is told from other errors, by any of the types that are named, or by none', () => {
    const problem = new ApiProblem(404, { type: 'market:error:resource/not-found' })
    expect(isProblem(problem)).to.equal(true)
    expect(isProblem(problem, 'market:error:resource/not-found', 'market:error:request/invalid')).to.equal(true)
    expect(isProblem(problem, 'market:error:request/invalid')).to.equal(false)
    expect(isProblem(new TypeError('fetch failed'))).to.equal(false)
  })
})
