import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, before, describe, it, mock } from 'node:test'
import { expect } from 'chai'
import { servedRoutes } from '../../../../api/app.ts'
import { rulesFor } from '../../../../api/config/rules.ts'
import { listen } from '../../../../api/platform/http/listen/listen.ts'
import { SOCKET_PATH } from '../../../../api/platform/http/streams/stream.ts'
import { type Api, startApi } from '../../../kit/api/platform/http/api.ts'
import { newTrader } from '../../../kit/api/trading.ts'

describe('a page of another origin', () => {
  let api: Api
  let own: string
  before(async () => {
    api = await startApi()
    own = api.settings.web.origins[0] ?? ''
  })
  after(() => api.stop())

  it('reads answers and refusals with the session’s cookie where it is one of those configured', async () => {
    for (const path of ['/healthz', '/v1/me', '/v1/nothing']) {
      const { headers } = await api.send('GET', path, { headers: { origin: own } })
      expect(headers.get('access-control-allow-origin'), path).to.equal(own)
      expect(headers.get('access-control-allow-credentials'), path).to.equal('true')
      expect(headers.get('access-control-expose-headers'), path).to.include('X-Request-Id')
      expect(headers.get('vary'), path).to.include('Origin')
    }
  })

  it('may ask before it writes', async () => {
    const headers = {
      origin: own,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, idempotency-key',
    }
    const answer = await api.send('OPTIONS', '/v1/asks', { headers })
    expect(answer.status).to.equal(204)
    expect(answer.headers.get('access-control-allow-methods')).to.include('POST')
    expect(answer.headers.get('access-control-allow-headers')).to.equal('content-type,idempotency-key')
  })

  it('calls with a token where it is any other, without cookies, and reads refusals as well [risk foreign-page]', async () => {
    const { token } = await newTrader({ api }, { wallet: 'unbound' })
    for (const origin of ['https://app.example', `${own}.evil.example`, 'null']) {
      const asked = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      }
      const preflight = await api.send('OPTIONS', '/v1/asks', { headers: asked })
      expect(preflight.status).to.equal(204)
      expect(preflight.headers.get('access-control-allow-headers')).to.equal('authorization')
      expect(Number(preflight.headers.get('access-control-max-age'))).to.be.above(0)
      for (const [path, as, status] of [
        ['/v1/me', token, 200],
        ['/v1/me', undefined, 401],
        ['/v1/nothing', undefined, 404],
        ['/healthz', undefined, 200],
      ] as const) {
        const answer = await api.send('GET', path, { headers: { origin }, ...(as ? { token: as } : {}) })
        expect(answer.status, path).to.equal(status)
        expect(answer.headers.get('access-control-allow-origin'), path).to.equal('*')
        expect(answer.headers.has('access-control-allow-credentials'), path).to.equal(false)
        expect(answer.headers.get('access-control-expose-headers'), path).to.include('WWW-Authenticate')
        expect(answer.headers.get('vary'), path).to.include('Origin')
      }
    }
  })

  it('reaches no session, passkey or ticket where it is not configured, with a token too [risk foreign-page]', async () => {
    const closed = servedRoutes.filter(({ path }) => /passkeys|sessions|enrol|tickets/.test(path))
    expect(closed).to.have.length.above(15)
    for (const { path, method } of closed) {
      const headers = { origin: 'https://app.example', 'access-control-request-method': method.toUpperCase() }
      const place = path.replaceAll(/\{\w+\}/g, 'market:ticket:0')
      for (const sent of ['OPTIONS', method.toUpperCase()]) {
        const answer = await api.send(sent, place, { headers })
        expect(answer.headers.has('access-control-allow-origin'), `${sent} ${path}`).to.equal(false)
        expect(answer.headers.get('vary'), path).to.include('Origin')
      }
    }
  })
})

describe('a body that arrives too slowly', () => {
  it('is told so, and ends its connection and no other', async () => {
    const api = { fetch: async (request: Request) => new Response(String((await request.arrayBuffer()).byteLength)) }
    const server = await listen(api, { host: '127.0.0.1', port: 0, rules: rulesFor(true), speedWindowMs: 200 })
    const socket = connect(server.port, '127.0.0.1')
    const dripping = setInterval(() => socket.write('.'), 20)
    try {
      // A byte that is sent to a connection which has ended is answered by a reset: an error, before the
      // close.
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      let heard = ''
      socket.on('error', () => {}).once('close', () => resolve())
      socket.setEncoding('utf8').on('data', (text) => {
        heard += text
      })
      socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n')
      await closed
      expect(heard)
        .to.match(/^HTTP\/1\.1 408 Request Timeout\r\n/)
        .and.include('Connection: close')
      expect(heard).to.include('market:error:request/timeout')
      const body = Buffer.alloc(100_000)
      expect(await (await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body })).text()).to.equal(
        '100000',
      )
    } finally {
      clearInterval(dripping)
      await server.stop()
    }
  })
})

describe('a server that stops', () => {
  const BEGINNINGS = {
    nothing: '',
    'half a head': 'GET / HTTP/1.1\r\nHost: loc',
    'half a body': 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345',
    'no HTTP': 'what\r\n\r\n',
    'a request for a tunnel': 'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'a handshake that is refused': `GET ${SOCKET_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  }
  for (const [what, sent] of Object.entries(BEGINNINGS))
    it(`ends the connection of a client that has sent ${what} and leaves it open`, { timeout: 10_000 }, async () => {
      const api = { fetch: async (request: Request) => new Response(await request.text(), { status: 400 }) }
      mock.timers.enable({ apis: ['setTimeout'] })
      const server = await listen(api, { host: '127.0.0.1', port: 0, rules: rulesFor(true) })
      const client = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
      try {
        client.on('error', () => {})
        await once(client, 'connect')
        client.write(sent)
        // A client that is not refused is given the time to send the rest.
        if (['what', 'CONNECT', 'GET /v1'].some((refused) => sent.startsWith(refused)))
          await once(client.resume(), 'end')
        // What was sent earlier has been read by then.
        await (await fetch(`http://127.0.0.1:${server.port}/`)).text()
        const stopped = server.stop()
        mock.timers.tick(10_000)
        await stopped
      } finally {
        client.destroy()
        mock.timers.reset()
      }
    })
})

describe('an idle connection', () => {
  it('is kept longer than clients and proxies keep theirs, so that no request meets its end', async () => {
    const api = { fetch: () => new Response('here') }
    const server = await listen(api, { host: '127.0.0.1', port: 0, rules: rulesFor(true) })
    try {
      const { headers } = await fetch(`http://127.0.0.1:${server.port}/`)
      expect(Number(headers.get('keep-alive')?.match(/^timeout=(\d+)$/)?.[1])).to.be.greaterThan(60)
    } finally {
      await server.stop()
    }
  })
})

describe('the host localhost', () => {
  it('is reached by both of its addresses, on one port', async () => {
    const api = { fetch: () => new Response('here') }
    const server = await listen(api, { host: 'localhost', port: 0, rules: rulesFor(true) })
    const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
      addresses?.some(({ address }) => address === '::1'),
    )
    try {
      const hosts = ['127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])]
      for (const host of hosts) {
        expect(await (await fetch(`http://${host}:${server.port}/`)).text(), host).to.equal('here')
      }
    } finally {
      await server.stop()
    }
  })
})
