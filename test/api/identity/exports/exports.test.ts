import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { advanceExport } from '../../../../api/identity/exports/internal/build.ts'
import { exportLink } from '../../../../api/identity/exports/internal/link.ts'
import { buildExports, purgeExports } from '../../../../api/identity/exports/jobs.ts'
import { exportSections } from '../../../../api/modules.ts'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { installSandboxClock } from '../../../../api/sandbox/install.ts'
import { parseUrn, urnString } from '../../../../protocol/encoding/urn.ts'
import { type Account, firstHuman, mint, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { erase } from '../../../kit/api/identity/erasure.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'
import { passTime } from '../../../kit/api/trading.ts'

const MANY = 450

describe('an export', () => {
  let api: Api
  let services: JobServices
  let ada: Account
  let bob: Account
  before(async () => {
    api = await startApi()
    await installSandboxClock(api.databaseUrl)
    const log = pino({ level: 'silent' })
    services = { db: api.serviceDb, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings, log }
    ada = firstHuman(api)
    bob = await newHuman(api, 'Bob')
  })
  after(() => api.stop())

  const get = (path: string, by: Account) => api.send('GET', path, { token: by.token })
  const request = async (by: Account) => {
    const reply = await api.send('POST', '/v1/me/exports', { token: by.token })
    expect(reply.status).to.equal(202)
    return `/v1/me/exports/${urnString('export', reply.body.urn.body)}`
  }
  const idOf = (path: string) => parseUrn('export', path.split('/').at(-1) ?? '') ?? ''
  const linkTo = async (path: string, by: Account) => {
    const headers = { authorization: `Bearer ${by.token}` }
    const reply = await fetch(`${api.baseUrl}${path}/download`, { headers, redirect: 'manual' })
    expect(reply.status).to.equal(302)
    return reply.headers.get('location') ?? ''
  }
  const download = (link: string) => fetch(api.baseUrl + link)
  const ready = async (by: Account) => {
    const path = await request(by)
    await buildExports(services, exportSections)
    return path
  }

  it('holds everything of a human and their agents, nothing of anyone else, and no secret [spec 4:43]', async () => {
    const [agent, other] = [await newAgent(api, ada, 'Scout'), await newAgent(api, bob, 'Bobbot')]
    for (const seller of [agent, other]) {
      const body = { title: 'Verse "“', description: `by\n${seller.urn}`, price: '20.000000' }
      expect((await api.send('POST', '/v1/asks', { token: seller.token, body })).status).to.equal(201)
    }
    const wish = { title: 'Sonnet wanted', description: 'Fourteen lines.', max_price: '9.000000' }
    const bid = await api.send('POST', '/v1/bids', { token: other.token, body: wish })
    const offer = { bid_urn: urnString('bid', bid.body.urn.body), price: '8.000000', message: 'Gladly.' }
    expect((await api.send('POST', '/v1/quotes', { token: agent.token, body: offer })).status).to.equal(201)
    expect((await api.send('POST', '/v1/bids', { token: agent.token, body: wish })).status).to.equal(201)
    const path = await request(ada)
    expect((await get(path, ada)).body).to.deep.include({ state: 'pending', size_bytes: null })
    await buildExports(services, exportSections)
    const { body } = await get(path, ada)
    expect(body).to.include({ state: 'ready' })
    expect(body.progress).to.deep.equal({ done: exportSections.length, total: exportSections.length })

    const reply = await download(await linkTo(path, ada))
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).to.equal(body.sha256)
    expect(bytes.length).to.equal(body.size_bytes)
    expect(Object.fromEntries(reply.headers)).to.include({
      'content-disposition': `attachment; filename="market-export-${idOf(path)}.json"`,
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
    })
    const text = bytes.toString()
    const file = JSON.parse(text)
    expect(file.account_urn).to.equal(ada.urn)
    expect(file.account).to.containSubset([{ urn: ada.urn, email: 'human@market.invalid' }])
    expect(file.agents).to.containSubset([{ urn: agent.urn, display_name: 'Scout', description: 'Works.' }])
    expect(file.asks).to.containSubset([
      {
        seller_urn: agent.urn,
        versions: [{ version: 1, title: 'Verse "“', description: `by\n${agent.urn}`, price: '20.000000' }],
      },
    ])
    expect(file.bids)
      .to.containSubset([{ bidder_urn: agent.urn, ...wish, state: 'open' }])
      .and.to.have.length(1)
    expect(file.quotes)
      .to.containSubset([{ seller_urn: agent.urn, ...offer, state: 'open' }])
      .and.to.have.length(1)
    expect(file.tokens.map(({ owner_urn: owner }: { owner_urn: string }) => owner)).to.have.members([
      ada.urn,
      agent.urn,
    ])
    expect(text).not.to.include(bob.id).and.not.to.include(other.id).and.not.to.include('Bobbot')
    const hashes = await api.db.selectFrom('market.tokens').select('secret_hash').execute()
    for (const { secret_hash: hash } of hashes) expect(text).not.to.include(hash.toString('hex'))
  })

  it('is made piece by piece, and goes on where a worker that died has left it', async () => {
    const agent = await newAgent(api, bob)
    await sql`insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select gen_random_uuid(), ${agent.id}, 'Verse ' || n, '', 1, 1, 1 from generate_series(1, ${MANY}) n`.execute(
      api.db,
    )
    const path = await request(bob)
    const step = () => inTransaction(api.db, 'read write', (tx) => advanceExport(tx, idOf(path), exportSections))
    const before = exportSections.findIndex(({ name }) => name === 'asks')
    for (let steps = 0; steps < before + 2; steps++) expect(await step()).to.equal(true)
    expect((await get(path, bob)).body.progress).to.deep.equal({ done: before, total: exportSections.length })
    // One that dies in the act leaves nothing behind of it.
    await inTransaction(api.db, 'read write', async (tx) => {
      await advanceExport(tx, idOf(path), exportSections)
      throw new Error('killed')
    }).catch(() => {})
    await Promise.all([buildExports(services, exportSections), buildExports(services, exportSections)])
    await buildExports(services, exportSections)
    const file = (await (await download(await linkTo(path, bob))).json()) as { asks: { urn: string }[] }
    const { rows } = await sql<{ urn: string }>`
      select 'market:ask:' || ask.id as urn from market.asks ask join market.agents agent on agent.id = ask.seller_id
      where agent.owner_id = ${bob.id} order by ask.id`.execute(api.db)
    expect(file.asks.map(({ urn }) => urn)).to.deep.equal(rows.map(({ urn }) => urn))
    expect(rows.length).to.be.above(MANY)
  })

  it('is one at a time, and takes the place of the one before', async () => {
    const first = await ready(ada)
    const link = await linkTo(first, ada)
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => api.send('POST', '/v1/me/exports', { token: ada.token })),
    )
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([202, 409, 409, 409, 409])
    for (const reply of replies.filter(({ status }) => status === 409)) expectProblem(reply, 409, 'exports/in-progress')
    expect((await download(link)).status).to.equal(404)
    expect((await get(first, ada)).body.state).to.equal('expired')
    expectProblem(await get(`${first}/download`, ada), 409, 'exports/not-ready')
    const second = `/v1/me/exports/${urnString('export', replies.find(({ status }) => status === 202)?.body.urn.body ?? '')}`
    expectProblem(await get(`${second}/download`, ada), 409, 'exports/not-ready')
    await buildExports(services, exportSections)
    const { exports } = (await get('/v1/me/exports', ada)).body as unknown as { exports: { state: string }[] }
    expect(exports.map(({ state }) => state)).to.deep.equal(['ready', 'expired', 'expired'])
  })

  it('is nobody else’s to see, and no scope’s but manage to have', async () => {
    const path = await ready(ada)
    for (const asked of [path, `${path}/download`]) {
      expectProblem(await get(asked, bob), 404, 'resource/not-found')
      expectProblem(await get(asked, await newAgent(api, ada)), 403, 'auth/forbidden')
    }
    const reader = { ...ada, token: await mint(api, ada.token, ada.urn, ['read', 'transact', 'withdraw']) }
    expectProblem(await get(`${path}/download`, reader), 403, 'auth/scope-insufficient')
    expectProblem(await api.send('POST', '/v1/me/exports', { token: reader.token }), 403, 'auth/scope-insufficient')
  })

  it('cannot be had by a link that we did not make, or made for another [risk secret-key]', async () => {
    const [path, other] = [await ready(ada), await ready(bob)]
    const link = await linkTo(path, ada)
    expect((await download(link)).status).to.equal(200)
    const url = new URL(link, api.baseUrl)
    const changed = (name: string, value: string) => {
      const forged = new URL(url)
      forged.searchParams.set(name, value)
      return forged.pathname + forged.search
    }
    const signature = url.searchParams.get('signature') ?? ''
    const elsewhere = { ...api.settings, secretKey: 'cd'.repeat(32) }
    for (const forged of [
      link.replace(idOf(path), idOf(other)),
      changed('expires', String(Number(url.searchParams.get('expires')) + 1)),
      changed('signature', `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`),
      exportLink(elsewhere, idOf(path), 99_999_999_999),
    ]) {
      expectProblem(await api.send('GET', forged), 404, 'resource/not-found')
    }
    expectProblem(await api.send('GET', changed('signature', 'x')), 400, 'request/invalid', 'signature')
    expectProblem(await api.send('GET', changed('expires', '-1')), 400, 'request/invalid', 'expires')
  })

  it('is had for minutes by a link, and kept for a day [spec 4:44]', async () => {
    const path = await ready(ada)
    const link = await linkTo(path, ada)
    await passTime(api, api.settings.rules.linkSeconds)
    expectProblem(await api.send('GET', link), 404, 'resource/not-found')
    await passTime(api, api.settings.rules.exportSeconds - api.settings.rules.linkSeconds - 60)
    const last = await linkTo(path, ada)
    expect((await download(last)).status).to.equal(200)
    await purgeExports(services)
    expect((await get(path, ada)).body.state).to.equal('ready')
    await passTime(api, 120)
    expectProblem(await api.send('GET', last), 404, 'resource/not-found')
    expectProblem(await get(`${path}/download`, ada), 409, 'exports/not-ready')
    await purgeExports(services)
    expect((await get(path, ada)).body.state).to.equal('expired')
    const left = api.db.selectFrom('market.export_chunks').select('sequence').where('export_id', '=', idOf(path))
    expect(await left.execute()).to.deep.equal([])
  })

  it('is gone at once, link and all, when its owner is erased', async () => {
    const eve = await newHuman(api, 'Eve')
    const link = await linkTo(await ready(eve), eve)
    expect((await erase(api, eve.token)).status).to.equal(202)
    expectProblem(await api.send('GET', link), 404, 'resource/not-found')
    const left = await api.db.selectFrom('market.exports').select('id').where('human_id', '=', eve.id).execute()
    expect(left).to.deep.equal([])
  })
})

describe('outside a sandbox', () => {
  let api: Api
  before(async () => {
    api = await startApi({ sandbox: false })
  })
  after(() => api.stop())

  it('no token takes data away or erases: that needs a passkey', async () => {
    const { token } = firstHuman(api)
    const path = '/v1/me/exports/market:export:01890000-0000-7000-8000-000000000000/download'
    for (const [method, asked] of [
      ['POST', '/v1/me/exports'],
      ['GET', path],
      ['POST', '/v1/me/erase'],
    ] as const) {
      expectProblem(await api.send(method, asked, { token }), 403, 're_auth_required')
    }
  })
})
