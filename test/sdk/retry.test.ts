import { describe, it } from 'node:test'
import { expect } from 'chai'
import { sendWithRetries } from '../../sdk/retry.ts'

const URL_OF_CALL = new URL('http://localhost/v1/orders')

describe('a call that is sent again', { timeout: 10_000 }, () => {
  it('throws what the network threw, at once where its body is a stream', async () => {
    const lost = new TypeError('the connection was reset')
    let sent = 0
    const send = async () => {
      sent++
      throw lost
    }
    const call = sendWithRetries(send, URL_OF_CALL, { method: 'POST', body: new Blob(['x']).stream() })
    expect(await call.catch((error: unknown) => error)).to.equal(lost)
    expect(sent).to.equal(1)
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
