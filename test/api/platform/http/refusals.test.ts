import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { PublicClient } from 'viem'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Api, expectProblem, type Request, serveApi, startApi } from '../../../kit/api/platform/http/api.ts'

const MEGABYTE = 1_048_576
const HUMAN = '/v1/accounts/humans'
const someone = { display_name: 'Ada', email: 'ada@example.com' }

interface Refusal {
  name: string
  method?: string
  path?: string
  request: (token: string) => Request
  status: number
  type: string
  field?: string
}

// Every way a request can be refused before it reaches a rule of the market. None of them may change
// anything.
const refusals: Refusal[] = [
  {
    name: 'a write without a version',
    request: (token) => ({ token, body: someone, headers: { 'market-version': undefined } }),
    status: 400,
    type: 'version/required',
    field: 'Market-Version',
  },
  {
    name: 'an unknown version',
    request: (token) => ({ token, body: someone, headers: { 'market-version': '2027-01-01' } }),
    status: 400,
    type: 'version/unknown',
    field: 'Market-Version',
  },
  {
    name: 'an unknown version on a read',
    method: 'GET',
    path: '/v1/me',
    request: (token) => ({ token, headers: { 'market-version': 'latest' } }),
    status: 400,
    type: 'version/unknown',
    field: 'Market-Version',
  },
  { name: 'no token', request: () => ({ body: someone }), status: 401, type: 'auth/unauthenticated' },
  {
    name: 'an unknown token',
    request: () => ({ token: `market_pat_${'A'.repeat(43)}`, body: someone }),
    status: 401,
    type: 'auth/unauthenticated',
  },
  {
    name: 'something that is no token',
    request: () => ({ token: "' or 1=1 --", body: someone }),
    status: 401,
    type: 'auth/unauthenticated',
  },
  {
    name: 'a body of 10 MB',
    request: (token) => ({ token, raw: `{"display_name":"${'a'.repeat(10 * MEGABYTE)}","email":"a@example.com"}` }),
    status: 413,
    type: 'request/too-large',
  },
  {
    name: 'a body of 10 MB that does not say how long it is',
    request: (token) => ({ token, raw: endless(10 * MEGABYTE) }),
    status: 413,
    type: 'request/too-large',
  },
  {
    name: 'objects nested 10,000 deep',
    request: (token) => ({ token, raw: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}` }),
    status: 400,
    type: 'request/malformed',
  },
  {
    name: 'arrays nested 10,000 deep',
    request: (token) => ({ token, raw: `${'['.repeat(10_000)}${']'.repeat(10_000)}` }),
    status: 400,
    type: 'request/malformed',
  },
  {
    name: 'no body where one is needed',
    request: (token) => ({ token, raw: '' }),
    status: 400,
    type: 'request/malformed',
  },
  {
    name: 'no body and no type where one is needed',
    request: (token) => ({ token }),
    status: 400,
    type: 'request/malformed',
  },
  {
    name: 'a member named twice',
    request: (token) => ({ token, raw: '{"display_name":"Ada","email":"ada@example.com","email":"eve@example.com"}' }),
    status: 400,
    type: 'request/malformed',
  },
  {
    name: 'half a JSON text',
    request: (token) => ({ token, raw: '{"display_name":' }),
    status: 400,
    type: 'request/malformed',
  },
  {
    name: 'bytes that are no UTF-8',
    request: (token) => ({ token, raw: Buffer.from('7b2261223a22ff227d', 'hex') }),
    status: 400,
    type: 'request/malformed',
  },
  {
    name: 'a NUL in a string',
    request: (token) => ({ token, raw: String.raw`{"display_name":"a\u0000b","email":"a@example.com"}` }),
    status: 400,
    type: 'request/invalid',
    field: 'display_name',
  },
  {
    name: 'half of a surrogate pair',
    request: (token) => ({ token, raw: String.raw`{"display_name":"a\ud800b","email":"a@example.com"}` }),
    status: 400,
    type: 'request/invalid',
    field: 'display_name',
  },
  {
    name: 'a body of another type',
    request: (token) => ({
      token,
      raw: 'display_name=Ada',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    status: 415,
    type: 'request/unsupported-media-type',
  },
  {
    name: 'a body without a type',
    request: (token) => ({ token, raw: Buffer.from(JSON.stringify(someone)), headers: { 'content-type': undefined } }),
    status: 415,
    type: 'request/unsupported-media-type',
  },
  {
    name: 'a body in another charset',
    request: (token) => ({ token, body: someone, headers: { 'content-type': 'application/json; charset=latin1' } }),
    status: 415,
    type: 'request/unsupported-media-type',
  },
  {
    name: 'a body in another encoding than gzip',
    request: (token) => ({ token, body: someone, headers: { 'content-encoding': 'br' } }),
    status: 415,
    type: 'request/unsupported-media-type',
  },
  {
    name: 'a body that is not compressed as it says',
    request: (token) => ({ token, body: someone, headers: { 'content-encoding': 'gzip' } }),
    status: 400,
    type: 'request/malformed',
  },
  {
    name: 'a missing member',
    request: (token) => ({ token, body: { display_name: 'Ada' } }),
    status: 400,
    type: 'request/invalid',
    field: 'email',
  },
  {
    name: 'a member that is not of this request',
    request: (token) => ({ token, body: { ...someone, role: 'operator' } }),
    status: 400,
    type: 'request/invalid',
    field: 'role',
  },
  {
    name: 'a member of the wrong type',
    request: (token) => ({ token, body: { ...someone, display_name: { $ne: null } } }),
    status: 400,
    type: 'request/invalid',
    field: 'display_name',
  },
  {
    name: 'a member of a URN that is not of it',
    path: '/v1/accounts/agents',
    request: (token) => ({
      token,
      body: { display_name: 'A', owner_urn: { prefix: 'human', body: '01890000-0000-7000-8000-000000000000', x: 1 } },
    }),
    status: 400,
    type: 'request/invalid',
    field: 'owner_urn.x',
  },
  {
    name: 'a body that is no object',
    request: (token) => ({ token, body: [someone] }),
    status: 400,
    type: 'request/invalid',
  },
  {
    name: 'a query parameter that does not exist',
    path: `${HUMAN}?dry_run=true`,
    request: (token) => ({ token, body: someone }),
    status: 400,
    type: 'request/invalid',
    field: 'dry_run',
  },
  {
    name: 'a query parameter given twice',
    method: 'GET',
    path: '/v1/me?limit=1&limit=2',
    request: (token) => ({ token }),
    status: 400,
    type: 'request/invalid',
    field: 'limit',
  },
  {
    name: 'an agent that is no URN',
    method: 'GET',
    path: '/v1/me',
    request: (token) => ({ token, headers: { 'market-agent': 'me' } }),
    status: 400,
    type: 'request/invalid',
    field: 'Market-Agent',
  },
  {
    name: 'an answer that is not JSON asked for',
    request: (token) => ({ token, body: someone, headers: { accept: 'text/html, application/json;q=0' } }),
    status: 406,
    type: 'request/not-acceptable',
    field: 'Accept',
  },
  {
    name: 'anything but JSON asked for',
    request: (token) => ({ token, body: someone, headers: { accept: '*/*, application/json;q=0' } }),
    status: 406,
    type: 'request/not-acceptable',
    field: 'Accept',
  },
  {
    name: 'another method',
    method: 'DELETE',
    request: (token) => ({ token }),
    status: 405,
    type: 'request/method-not-allowed',
  },
  {
    name: 'an unknown path',
    path: '/v1/nothing',
    request: (token) => ({ token, body: {} }),
    status: 404,
    type: 'request/not-found',
  },
  {
    name: 'a path that is broken',
    method: 'GET',
    path: '/v1/asks/%ff%00',
    request: (token) => ({ token }),
    status: 404,
    type: 'resource/not-found',
  },
]

describe('a request is refused, and nothing changes: [spec 2.1:9 5:12 7:1 7:2 7:5 7:16]', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())

  const footprint = async () => {
    const { humans } = await api.db
      .selectFrom('market.humans')
      .select((row) => row.fn.countAll().as('humans'))
      .executeTakeFirstOrThrow()
    return humans
  }

  for (const refusal of refusals) {
    it(`${refusal.name}: ${refusal.status} ${refusal.type}`, async () => {
      const before = await footprint()
      const { method = 'POST', path = HUMAN, request } = refusal
      const reply = await api.send(method, path, request(api.first.operator_token))
      expectProblem(reply, refusal.status, refusal.type, refusal.field)
      expect(await footprint()).to.equal(before)
    })
  }

  it('in words about each field, and not in those of a library', async () => {
    const token = api.first.operator_token
    const told = async (path: string, body: object) => {
      const { body: answer } = await api.send('POST', path, { token, body })
      return [answer.field, answer.detail]
    }
    expect(await told(HUMAN, { display_name: '', email: 7, role: 'x' })).to.deep.equal([
      'display_name',
      'display_name: must not be empty. email: must be a text. role: is not a member of this request.',
    ])
    expect(await told('/v1/me/orgs', { slug: 'a', display_name: 'a'.repeat(101) })).to.deep.equal([
      'slug',
      'slug: must have at least 2 characters. display_name: must have at most 100 characters.',
    ])
    const owner_urn = { prefix: 'human', body: 'me' }
    expect(await told('/v1/accounts/agents', { display_name: 'A', owner_urn })).to.deep.equal([
      'owner_urn.body',
      'owner_urn.body: must be a UUID.',
    ])
    expect(await told('/v1/me/tokens', { owner_urn: urnString('human', newId()), scopes: ['all'] })).to.deep.equal([
      'scopes.0',
      'scopes.0: must be read, transact, withdraw or manage.',
    ])
  })

  it('and the same request without its fault is taken', async () => {
    const token = api.first.operator_token
    const reply = await api.send('POST', HUMAN, { token, body: someone })
    expect(reply.status).to.equal(201)
    const headers = { 'content-type': 'application/json; charset=utf8' }
    const other = await api.send('POST', HUMAN, { token, body: { ...someone, email: 'ada@example.org' }, headers })
    expect(other.status).to.equal(201)
  })

  for (const [name, bytes, status, type] of [
    ['something that is no HTTP', 'HELO market\r\n\r\n', 400, 'request/malformed'],
    ['a host that is none', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'request/malformed'],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'request/malformed'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'request/malformed'],
    ['a tunnel asked for', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'request/malformed'],
    [
      'an expectation that nobody has',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: coffee\r\n\r\n',
      417,
      'request/expectation-failed',
    ],
    [
      'a body in a transfer coding that nobody undoes',
      'POST /v1/tickets/exchange HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      501,
      'request/transfer-coding-unknown',
    ],
    ['headers without end', `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'request/headers-too-large'],
  ] as const) {
    it(`${name}: ${status} ${type}`, async () => {
      const answer = await exchange(api.baseUrl, bytes)
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      expect(head)
        .to.match(new RegExp(`^HTTP/1.1 ${status} `))
        .and.match(/content-type: application\/problem\+json/i)
      expect(JSON.parse(body)).to.include({ status, type: `market:error:${type}` })
      const [, requestId] = /^x-request-id: (.+)$/im.exec(head) ?? []
      expect(JSON.parse(body).instance).to.equal(`market:request:${requestId}`)
      expect(head)
        .to.match(/^cache-control: no-store$/im)
        .and.match(/^x-content-type-options: nosniff$/im)
        .and.match(/^date: /im)
        .and.include(`Link: </problems/${type}>; rel="help"`)
        .and.match(/^ratelimit-limit: \d+$/im)
        .and.match(/^ratelimit-remaining: \d+$/im)
        .and.match(/^ratelimit-reset: \d+$/im)
    })
  }

  it('a body that stops halfway: 408 request/timeout, and the connection ends', async () => {
    const { db, settings } = api
    const hasty = await serveApi({ db, settings, rpc: {} as PublicClient, bodyTimeoutMs: 1 })
    const head = ['POST /v1/me/passkeys/assertion/options HTTP/1.1', 'Host: market', 'Market-Version: 2026-05-17']
    const answer = await exchange(hasty.baseUrl, [...head, 'Content-Length: 9', '', '{"a":'].join('\r\n')).finally(
      hasty.stop,
    )
    expect(answer)
      .to.match(/^HTTP\/1.1 408 /)
      .and.match(/^connection: close/im)
      .and.include('market:error:request/timeout')
  })

  it('a body is asked for when it is read, and not before a 401', async () => {
    const { operator_token } = api.first
    const text = JSON.stringify({ display_name: 'Eve', email: 'eve@example.com' })
    const expecting = (headers: string[]) =>
      [
        `POST ${HUMAN} HTTP/1.1`,
        ...['Host: market', 'Market-Version: 2026-05-17', 'Content-Type: application/json', 'Expect: 100-continue'],
        ...[`Content-Length: ${text.length}`, ...headers, '', ''],
      ].join('\r\n')
    expect(await exchange(api.baseUrl, expecting([])))
      .to.match(/^HTTP\/1.1 401 /)
      .and.match(/^connection: close/im)
    const taken = await exchange(api.baseUrl, expecting([`Authorization: Bearer ${operator_token}`]), text)
    expect(taken)
      .to.match(/^HTTP\/1.1 100 Continue\r\n\r\n/)
      .and.match(/^HTTP\/1.1 201 /m)
  })

  it('a client of HTTP/1.0 needs no Host', async () => {
    expect(await exchange(api.baseUrl, 'GET /healthz HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1.1 200 /)
  })

  it('an answer in JSON is taken for accepted by every range that holds it', async () => {
    for (const accept of ['application/json', 'text/html, application/*;q=0.1', '*/*', '', undefined]) {
      const request = { token: api.first.operator_token, headers: { accept } }
      expect((await api.send('GET', '/v1/me', request)).status, accept).to.equal(200)
    }
  })

  it('the methods a path takes are named', async () => {
    const reply = await api.send('DELETE', '/healthz')
    expect(reply.headers.get('allow')).to.equal('GET, HEAD')
  })

  it('the way to authenticate is named [spec 5:12]', async () => {
    const reply = await api.send('GET', '/v1/me')
    expect(reply.headers.get('www-authenticate')).to.match(/^Bearer/)
  })
})

/** Sends bytes, and the rest once the server asks for it. Returns what it answers. */
async function exchange(baseUrl: string, bytes: string, rest = ''): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  socket
    .setEncoding('utf8')
    // Whoever is never answered must see it: to end our half alone would be to wait for the other.
    .setTimeout(30_000, () => socket.destroy())
    .write(bytes)
  let answer = ''
  for await (const chunk of socket) {
    answer += chunk
    if (String(chunk).startsWith('HTTP/1.1 100')) socket.write(rest)
    if (answer.includes('}')) socket.end()
  }
  return answer
}

function endless(sizeBytes: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent >= sizeBytes) return controller.close()
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
  })
}
