import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { rulesFor } from '../../../../api/config/rules.ts'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { openPool } from '../../../../api/platform/db/pool.ts'
import { isProxy } from '../../../../api/platform/http/listen/addresses.ts'
import { memoryWindows, redisWindows, type Windows } from '../../../../api/platform/http/serve/windows.ts'
import { purge } from '../../../../api/purge.ts'
import { type Account, mint, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import {
  type Api,
  expectProblem,
  type Reply,
  type Request,
  serveApi,
  startApi,
} from '../../../kit/api/platform/http/api.ts'
import { startRedis, withoutRedis } from '../../../kit/redis.ts'

const WINDOW_SECONDS = 60
const MAX_READS = 9
const MAX_WRITES = 6
const MAX_ANONYMOUS = 12
const LIMITS = {
  rateWindowSeconds: WINDOW_SECONDS,
  maxReads: MAX_READS,
  maxWrites: MAX_WRITES,
  maxAnonymous: MAX_ANONYMOUS,
}

describe('the limit on requests', () => {
  let api: Api
  let twin: Awaited<ReturnType<typeof serveApi>>
  let behindProxy: Awaited<ReturnType<typeof serveApi>>
  before(async () => {
    api = await startApi({ rules: LIMITS })
    const shared = { db: api.serviceDb, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings }
    twin = await serveApi(shared)
    behindProxy = await serveApi({ ...shared, trustedProxies: ['127.0.0.0/8', '::1'] })
  })
  after(async () => {
    await twin.stop()
    await behindProxy.stop()
    await api.stop()
  })

  const fresh = () => sql`truncate limits.windows`.execute(api.db)
  /** As so many seconds later. */
  const pass = (seconds: number) =>
    sql`update limits.windows set resets_at = resets_at - make_interval(secs => ${seconds})`.execute(api.db)
  /** Agents of one human, each an account of its own. */
  const accounts = async (): Promise<[Account, Account]> => {
    const owner = await newHuman(api)
    const agents: [Account, Account] = [await newAgent(api, owner), await newAgent(api, owner)]
    await fresh()
    return agents
  }
  const account = async () => (await accounts())[0]
  const read = (token: string, by: { send: Api['send'] } = api) => by.send('GET', '/v1/me', { token })
  const write = (token: string, by: { send: Api['send'] } = api) =>
    by.send('POST', '/v1/asks', { token, body: { title: 'Verse', description: 'Lines.', price: '20.000000' } })
  const times = <Answer>(count: number, act: (index: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, (_, index) => act(index)))

  it('is told on every answer, in the three headers of the spec and the two of the draft [spec 8:1]', async () => {
    const { token } = await account()
    const answers: [string, string, string, number, Request][] = [
      ['GET', '/v1/me', 'reads', MAX_READS, { token }],
      ['POST', '/v1/asks', 'writes', MAX_WRITES, { token, raw: '{' }],
      ['POST', '/v1/me/tokens/revoke_all', 'writes', MAX_WRITES, { token, headers: { 'market-agent': 'me' } }],
      ['GET', '/v1/me', 'anonymous', MAX_ANONYMOUS, {}],
      ['POST', '/v1/asks', 'anonymous', MAX_ANONYMOUS, { token, headers: { 'market-version': undefined } }],
      ['GET', '/v1/config/public', 'anonymous', MAX_ANONYMOUS, {}],
      ['GET', '/v1/nothing', 'anonymous', MAX_ANONYMOUS, { token }],
      ['DELETE', '/v1/me', 'anonymous', MAX_ANONYMOUS, { token }],
      ['GET', '/healthz', 'anonymous', MAX_ANONYMOUS, {}],
      ['GET', '/openapi.json', 'anonymous', MAX_ANONYMOUS, {}],
    ]
    for (const [method, path, policy, quota, request] of answers) {
      const { headers, status } = await api.send(method, path, request)
      const name = `${method} ${path} ${status}`
      const [remaining, resets] = ['ratelimit-remaining', 'ratelimit-reset'].map((header) => headers.get(header))
      expect(headers.get('ratelimit-limit'), name).to.equal(String(quota))
      expect(Number(remaining), name).to.be.within(0, quota)
      expect(Number(resets), name).to.be.within(1, WINDOW_SECONDS)
      expect(headers.get('ratelimit-policy'), name).to.equal(`"${policy}";q=${quota};w=${WINDOW_SECONDS}`)
      expect(headers.get('ratelimit'), name).to.equal(`"${policy}";r=${remaining};t=${resets}`)
    }
  })

  it('is one for all processes that serve: together they take as many requests as there are, and no more [risk API4]', async () => {
    const { token } = await account()
    const replies = await times(MAX_WRITES + 10, (index) => write(token, index % 2 === 0 ? api : twin))
    expect(replies.filter(({ status }) => status === 201)).to.have.length(MAX_WRITES)
    const remaining = (status: number) =>
      replies
        .filter((reply) => reply.status === status)
        .map(({ headers }) => Number(headers.get('ratelimit-remaining')))
        .sort()
    expect(remaining(201)).to.deep.equal(Array.from({ length: MAX_WRITES }, (_, index) => index))
    expect(new Set(remaining(429))).to.deep.equal(new Set([0]))
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expectProblem(reply, 429, 'request/rate-limited')
      expect(reply.headers.get('retry-after')).to.equal(reply.headers.get('ratelimit-reset'))
    }
  })

  it('begins anew when the window ends, and not later for what was refused [spec 7:16 8:3]', async () => {
    const { token } = await account()
    await times(MAX_WRITES, () => write(token))
    await pass(WINDOW_SECONDS - 2)
    const refused = await write(token)
    expectProblem(refused, 429, 'request/rate-limited')
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 2)
    await pass(2)
    const taken = await write(token)
    expect(taken.status).to.equal(201)
    expect(taken.headers.get('ratelimit-remaining')).to.equal(String(MAX_WRITES - 1))
  })

  it('is apart for reads and writes, and for each account, of which all tokens count together [spec 8:2]', async () => {
    const owner = await newHuman(api)
    const { token, urn } = await newAgent(api, owner)
    const second = await mint(api, owner.token, urn, ['read', 'transact'])
    await fresh()
    await times(MAX_WRITES, (index) => write(index % 2 === 0 ? token : second))
    for (const each of [token, second]) expectProblem(await write(each), 429, 'request/rate-limited')
    const replies = await times(MAX_READS, () => read(token))
    expect(replies.every(({ status }) => status === 200)).to.equal(true)
    expectProblem(await read(token), 429, 'request/rate-limited')
  })

  it('of one account is nothing to another', async () => {
    const [one, two] = await accounts()
    await times(MAX_READS + 1, () => read(one.token))
    expect((await read(one.token)).status).to.equal(429)
    expect((await read(two.token)).status).to.equal(200)
  })

  it('locks out nobody when a process dies: what it did not use is there for the others', async () => {
    const { token } = await account()
    const dying = await serveApi({ db: api.serviceDb, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings })
    await times(2, () => write(token, dying))
    await dying.stop()
    const replies = await times(MAX_WRITES - 2, () => write(token))
    expect(replies.every(({ status }) => status === 201)).to.equal(true)
    expect((await write(token)).status).to.equal(429)
  })

  it('stops who guesses tokens, by address, and not those of the address who have one [risk API2]', async () => {
    const { token } = await account()
    const guess = () => read(`market_pat_${'A'.repeat(43)}`)
    for (const reply of await times(MAX_ANONYMOUS, guess)) expectProblem(reply, 401, 'auth/unauthenticated')
    expectProblem(await guess(), 429, 'request/rate-limited')
    expectProblem(await api.send('GET', '/v1/nothing'), 429, 'request/rate-limited')
    expectProblem(await api.send('GET', '/v1/config/public'), 429, 'request/rate-limited')
    expect((await read(token)).status).to.equal(200)
    expect((await api.send('GET', '/healthz')).status).to.equal(200)
  })

  it('takes nobody’s word for an address but that of a proxy it was told to trust [risk reverse-proxy]', async () => {
    const from = (by: { send: Api['send'] }, forwarded: string) =>
      by.send('GET', '/v1/nothing', { headers: { 'x-forwarded-for': forwarded } })
    const remaining = ({ headers }: Reply) => Number(headers.get('ratelimit-remaining'))
    await fresh()
    for (const index of [1, 2]) expect(remaining(await from(api, `203.0.113.${index}`))).to.equal(MAX_ANONYMOUS - index)
    await fresh()
    const seen: [string, number][] = [
      ['203.0.113.1', 1],
      ['203.0.113.2', 1],
      ['198.51.100.7, 203.0.113.1', 2],
      ['203.0.113.1, 127.0.0.5', 3],
      ['::ffff:203.0.113.1', 4],
      ['2001:db8:1:2::3', 1],
      ['2001:DB8:1:2:ffff::4', 2],
      ['2001:db8:1:3::3', 1],
      ['no address', 1],
      ['', 2],
    ]
    for (const [forwarded, count] of seen)
      expect(remaining(await from(behindProxy, forwarded)), forwarded).to.equal(MAX_ANONYMOUS - count)
    const rows = await sql<{ text: string }>`select row::text as text from limits.windows row`.execute(api.db)
    expect(JSON.stringify(rows.rows)).to.not.match(/127\.0|203\.0|2001/)
  })

  it('names the proxies it can trust', () => {
    for (const text of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']) expect(isProxy(text), text).to.equal(true)
    for (const text of ['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '/8', '::1/129'])
      expect(isProxy(text), text).to.equal(false)
  })

  it('is published, and ten times as high in a sandbox', async () => {
    await fresh()
    const [strict, loose] = [rulesFor(false), rulesFor(true)]
    for (const name of ['maxReads', 'maxWrites', 'maxAnonymous'] as const)
      expect(loose[name]).to.equal(10 * strict[name])
    expect(strict.maxReads).to.be.above(strict.maxWrites)
  })

  it('is kept for nobody who has gone', async () => {
    const { token } = await account()
    await read(token)
    await pass(WINDOW_SECONDS)
    await write(token)
    const log = pino({ level: 'silent' })
    await purge({ db: api.serviceDb, rpc: undefined as never, settings: api.settings, log })
    const { rows } = await sql<{ policy: string }>`select policy from limits.windows`.execute(api.db)
    expect(rows).to.deep.equal([{ policy: 'writes' }])
  })

  it('keeps nobody from what is open to everyone while the database is gone', async () => {
    const db = openPool('postgres://market@127.0.0.1:9/market', { max: 1, onError: () => {} })
    const alone = await serveApi({ db, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings })
    const reply = await alone.send('GET', '/openapi.json')
    expect(reply.status).to.equal(200)
    expect(reply.headers.get('ratelimit-remaining')).to.equal(String(MAX_ANONYMOUS))
    expectProblem(await alone.send('GET', '/v1/me', { token: api.first.human_token }), 503, 'service/unavailable')
    await alone.stop()
    await db.destroy()
  })

  describe('whose windows are not in the database', () => {
    const served: Awaited<ReturnType<typeof serveApi>>[] = []
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    const serveWith = async (windows: Windows) => {
      const services = { db: api.serviceDb, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings, windows }
      const server = await serveApi(services)
      served.push({ ...server, stop: async () => void (await Promise.all([server.stop(), windows.stop()])) })
      return server
    }
    const remaining = ({ headers }: Reply) => Number(headers.get('ratelimit-remaining'))
    const untilUsedUp = async (token: string, servers: { send: Api['send'] }[]) => {
      const replies = await times(MAX_WRITES + 4, (index) => write(token, servers[index % servers.length]))
      expect(replies.filter(({ status }) => status === 201)).to.have.length(MAX_WRITES)
      for (const reply of replies.filter(({ status }) => status !== 201)) {
        expectProblem(reply, 429, 'request/rate-limited')
        expect(reply.headers.get('retry-after')).to.equal(reply.headers.get('ratelimit-reset'))
        expect(Number(reply.headers.get('retry-after'))).to.be.within(1, WINDOW_SECONDS)
      }
    }
    const leftInDatabase = async () => (await sql`select from limits.windows`.execute(api.db)).rows.length
    afterEach(async () => {
      for (const { stop } of served.splice(0)) await stop()
      lines.splice(0)
    })

    it('counts in the memory of the one api, for each account and policy, and for each address', async () => {
      const [{ token }, other] = await accounts()
      const server = await serveWith(memoryWindows())
      await untilUsedUp(token, [server])
      expect(remaining(await read(token, server))).to.equal(MAX_READS - 1)
      expect((await write(other.token, server)).status).to.equal(201)
      for (const left of [1, 2, 3])
        expect(remaining(await server.send('GET', '/v1/nothing'))).to.equal(MAX_ANONYMOUS - left)
      expect(await leftInDatabase()).to.equal(0)
    })

    it('is one in a Redis for all apis that name it [risk redis]', { skip: withoutRedis() }, async () => {
      const redis = await startRedis()
      const { token } = await account()
      await untilUsedUp(token, [
        await serveWith(await redisWindows(redis.url, log)),
        await serveWith(await redisWindows(redis.url, log)),
      ])
      expect(await leftInDatabase()).to.equal(0)
      expect(lines).to.deep.equal([])
      await redis.stop()
    })

    it('is that of each api by itself while Redis does not answer, which raises an alarm', async () => {
      const silent = createServer(() => {})
      await once(silent.listen(0, '127.0.0.1'), 'listening')
      const ports = [(silent.address() as AddressInfo).port, 9]
      for (const port of ports) {
        const { token } = await account()
        await untilUsedUp(token, [await serveWith(await redisWindows(`redis://127.0.0.1:${port}`, log))])
      }
      expect(lines.map((line) => JSON.parse(line).alarm)).to.deep.equal([true, true])
      silent.close()
    })
  })
})
