import { describe, it } from 'node:test'
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
