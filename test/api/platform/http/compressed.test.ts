import { after, before, describe, it } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

const MAX_BODY_BYTES = 1_048_576
const PATH = '/v1/accounts/humans'

describe('a compressed request body', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())

  const send = (raw: Buffer, encoding = 'gzip', headers: Record<string, string> = {}) =>
    api.send('POST', PATH, {
      token: api.first.operator_token,
      raw,
      headers: { 'content-encoding': encoding, ...headers },
    })
  /** A new human as JSON, padded to so many bytes. */
  const human = (bytes = 0) =>
    Buffer.from(JSON.stringify({ display_name: 'Ada', email: 'ada@example.com' }).padEnd(bytes))

  it('is JSON with gzip, and the same call as the body without it', async () => {
    const headers = { 'idempotency-key': 'compressed' }
    const { status, body } = await send(gzipSync(human()), 'gzip', headers)
    expect(status).to.equal(201)
    for (const encoding of ['GZIP', 'x-gzip', 'identity, gzip']) {
      expect((await send(gzipSync(human(), { level: 1 }), encoding, headers)).body, encoding).to.deep.equal(body)
    }
    expect((await send(human(), 'identity', headers)).body).to.deep.equal(body)
  })

  it('may have as many bytes as any other body, inflated too [risk API4]', async () => {
    expect((await send(gzipSync(human(MAX_BODY_BYTES)))).status).to.equal(201)
    expectProblem(await send(gzipSync(human(MAX_BODY_BYTES + 1))), 413, 'request/too-large')
  })

  it('is refused while it is inflated, long before its end [risk API4]', async () => {
    // Its end is broken: a reader that inflates all of it reports that, and not its size.
    const bomb = gzipSync(human(200 * MAX_BODY_BYTES)).subarray(0, -1)
    expect(bomb.length).to.be.below(MAX_BODY_BYTES)
    expectProblem(await send(bomb), 413, 'request/too-large')
    expectProblem(await send(Buffer.concat([gzipSync(human()), bomb])), 413, 'request/too-large')
  })

  it('is malformed where gzip cannot be inflated to its end', async () => {
    const packed = gzipSync(human())
    const broken = [packed.subarray(0, -1), packed.subarray(0, 12), Buffer.concat([packed, packed.subarray(0, 9)])]
    for (const raw of broken) expectProblem(await send(raw), 400, 'request/malformed')
    expectProblem(await send(Buffer.concat([packed, packed])), 400, 'request/malformed')
  })

  it('in any other encoding is refused with the encodings that are taken, and only then names them', async () => {
    for (const encoding of ['br', 'gzip, gzip', 'deflate', 'zstd', 'gzip2']) {
      const reply = await send(brotliCompressSync(human()), encoding)
      expectProblem(reply, 415, 'request/unsupported-media-type')
      expect(reply.headers.get('accept-encoding'), encoding).to.equal('gzip')
    }
    const otherType = await send(gzipSync(human()), 'gzip', { 'content-type': 'text/plain' })
    expectProblem(otherType, 415, 'request/unsupported-media-type')
    expect(otherType.headers.get('accept-encoding')).to.equal(null)
  })

  it('may be a call of the tools', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const reply = await fetch(`${api.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.first.operator_token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        accept: 'application/json, text/event-stream',
      },
      body: gzipSync(JSON.stringify(call)),
    })
    expect({ status: reply.status, hasTools: (await reply.text()).includes('"tools"') }).to.deep.equal({
      status: 200,
      hasTools: true,
    })
  })
})
