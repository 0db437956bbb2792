import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { type UrnObject, urnString } from '../../../../protocol/encoding/urn.ts'
import { type Account, mint, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

interface ListedToken {
  urn: UrnObject
  owner_urn: UrnObject
  scopes: string[]
  last_used_at: string | null
  is_current: boolean
}

describe('tokens', () => {
  let api: Api
  let ada: Account
  let agent: Account
  let stranger: Account
  before(async () => {
    api = await startApi()
    ada = await newHuman(api)
    agent = await newAgent(api, ada)
    stranger = await newHuman(api)
  })
  after(() => api.stop())

  const post = (path: string, token: string, headers = {}) =>
    api.send('POST', `/v1/me/tokens/${path}`, { token, headers })
  const me = (token: string) => api.send('GET', '/v1/me', { token })
  const tokenOf = async (token: string) => urnString('token', ((await me(token)).body.token_urn as UrnObject).body)
  const rotate = async (token: string, headers = {}) => post(`${await tokenOf(token)}/rotate`, token, headers)
  const list = async (token: string, query = '') => {
    const { body } = await api.send('GET', `/v1/me/tokens${query}`, { token })
    return { tokens: body.tokens as ListedToken[], next: body.next_cursor as string | null }
  }
  const fresh = (scopes = ['read', 'transact']) => mint(api, ada.token, agent.urn, scopes)
  const inTenMinutes = () =>
    sql`update market.tokens set rotated_at = rotated_at - interval '10 minutes' where rotated_at is not null`.execute(
      api.db,
    )

  it('are nowhere in a copy of the database, of which a thief therefore makes no request [risk backup]', async () => {
    const old = await fresh(['read'])
    const { body: rotated } = await rotate(old, { 'idempotency-key': 'copied' })
    const path = `/v1/me/agents/${urnString('agent', agent.id)}/tickets`
    const { body: issued } = await api.send('POST', path, { token: ada.token, body: { scopes: ['read'] } })
    const secrets = [old, rotated.secret, ada.token, issued.ticket] as string[]
    expect(secrets.every((secret) => secret.length > 20)).to.equal(true)
    const { rows: tables } = await sql<{ name: string }>`select oid::regclass::text as name from pg_class
      where relkind in ('r', 'p') and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`.execute(api.db)
    expect(tables.map(({ name }) => name)).to.include('market.tokens')
    for (const { name } of tables) {
      const { rows } = await sql`select from ${sql.raw(name)} as copied
        where copied::text ~ ${secrets.join('|')}`.execute(api.db)
      expect(rows, name).to.deep.equal([])
    }
  })

  describe('rotated', () => {
    it('are replaced by as good a one, and are good no more [spec 2.4:1 4:7 5:9 8.1:4 9:8]', async () => {
      const old = await fresh(['read'])
      const before = (await me(old)).body
      const { status, body } = await rotate(old)
      expect(status).to.equal(201)
      expect(body.secret)
        .to.match(/^market_pat_[A-Za-z0-9_-]{43}$/)
        .and.to.not.equal(old)
      const after = (await me(body.secret)).body
      expect({ ...after, token_urn: null }).to.deep.equal({ ...before, token_urn: null })
      expectProblem(await me(old), 401, 'auth/unauthenticated')
    })

    it('in 2026-05-05 are named by the call itself [spec 4:6 9:8]', async () => {
      const old = await fresh()
      const { status, body } = await post('rotate', old, { 'market-version': '2026-05-05' })
      expect(status).to.equal(201)
      expect((await me(body.secret)).status).to.equal(200)
      expectProblem(await me(old), 401, 'auth/unauthenticated')
    })

    it('may repeat their own rotation for ten minutes, and do nothing else', async () => {
      const old = await fresh()
      const path = `${await tokenOf(old)}/rotate`
      const key = { 'Idempotency-Key': 'lost-answer' }
      const first = await post(path, old, key)
      expect((await post(path, old, key)).body).to.deep.equal(first.body)
      expectProblem(await post(path, old), 401, 'auth/unauthenticated')
      expectProblem(await post(path, old, { 'Idempotency-Key': 'another' }), 401, 'auth/unauthenticated')
      expectProblem(await post(path.replace('rotate', 'revoke'), old), 401, 'auth/unauthenticated')
      await inTenMinutes()
      expectProblem(await post(path, old, key), 401, 'auth/unauthenticated')
      expect((await me(first.body.secret)).status).to.equal(200)
    })

    it('may repeat no other rotation they made or suffered', async () => {
      const [other, mine] = [await fresh(), await mint(api, ada.token, ada.urn, ['read', 'transact', 'manage'])]
      const path = async (token: string) => `${await tokenOf(token)}/rotate`
      const [ofOther, ofMine] = [await path(other), await path(mine)]
      const byMine = await post(ofOther, mine, { 'Idempotency-Key': 'rotates-another' })
      expect(byMine.status).to.equal(201)
      const byAda = await post(ofMine, ada.token, { 'Idempotency-Key': 'is-rotated' })
      expect(byAda.status).to.equal(201)
      for (const [place, key] of [
        [ofOther, 'rotates-another'],
        [ofMine, 'is-rotated'],
        [ofMine, 'rotates-another'],
        ['market:token:01890000-0000-7000-8000-000000000000/rotate', 'is-rotated'],
      ] as const) {
        expectProblem(await post(place, mine, { 'Idempotency-Key': key }), 401, 'auth/unauthenticated')
      }
    })

    it('give nobody more than they had [risk transact-token]', async () => {
      const strong = await tokenOf(await mint(api, ada.token, ada.urn, ['read', 'withdraw']))
      const manager = await mint(api, ada.token, ada.urn, ['read', 'manage'])
      expectProblem(await post(`${strong}/rotate`, manager), 403, 'auth/scope-insufficient')
      const lasting = await tokenOf(await fresh(['read']))
      const brief = await api.send('POST', '/v1/me/tokens', {
        token: ada.token,
        body: {
          owner_urn: ada.urn,
          scopes: ['read', 'manage'],
          expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        },
      })
      expectProblem(await post(`${lasting}/rotate`, brief.body.secret), 403, 'auth/scope-insufficient')
      const live = (await list(ada.token)).tokens.map(({ urn }) => urnString('token', urn.body))
      expect(live).to.include.members([strong, lasting])
    })

    it('are their own, or those a human with manage answers for', async () => {
      const urn = await tokenOf(await fresh())
      for (const token of [stranger.token, await fresh(), await mint(api, ada.token, ada.urn, ['read'])]) {
        expectProblem(await post(`${urn}/rotate`, token), 404, 'resource/not-found')
        expectProblem(await post(`${urn}/revoke`, token), 404, 'resource/not-found')
      }
      expect((await post(`${urn}/rotate`, ada.token)).status).to.equal(201)
    })

    it('need a passkey outside a sandbox, where they guard money and are not the call’s own [risk manage-token]', async () => {
      const strict = await startApi({ sandbox: false })
      try {
        const { human_token: token, human_urn: owner_urn } = strict.first
        const other = await strict.send('POST', '/v1/me/tokens', { token, body: { owner_urn, scopes: ['read'] } })
        const path = (urn: UrnObject) => `/v1/me/tokens/${urnString('token', urn.body)}/rotate`
        expect((await strict.send('POST', path(other.body.urn), { token })).status).to.equal(201)
        await sql`update market.tokens set scopes = '{read,withdraw}' where scopes = '{read}'`.execute(strict.db)
        const { body } = await strict.send('GET', '/v1/me/tokens', { token })
        const guarded = (body.tokens as ListedToken[]).find(({ scopes }) => scopes.length === 2)
        if (!guarded) throw new Error('there is no such token')
        expectProblem(await strict.send('POST', path(guarded.urn), { token }), 403, 're_auth_required')
      } finally {
        await strict.stop()
      }
    })
  })

  describe('revoked', () => {
    it('are good no more, one by one, by themselves or by their human', async () => {
      for (const by of ['itself', 'human']) {
        const token = await fresh(['read'])
        const urn = await tokenOf(token)
        expect((await post(`${urn}/revoke`, by === 'itself' ? token : ada.token)).status).to.equal(204)
        expectProblem(await me(token), 401, 'auth/unauthenticated')
        expectProblem(await post(`${urn}/revoke`, ada.token), 404, 'resource/not-found')
      }
    })

    it('all at once are the human’s and their agents’, and nobody else’s [spec 4:8]', async () => {
      const owner = await newHuman(api)
      const [one, two] = [await newAgent(api, owner), await newAgent(api, owner)]
      const byAgent = await post('revoke_all', owner.token, { 'Market-Agent': one.urn })
      expect(byAgent.body).to.deep.equal({ revoked: 1 })
      expectProblem(await me(one.token), 401, 'auth/unauthenticated')
      expect((await me(two.token)).status).to.equal(200)
      expect((await post('revoke_all', owner.token)).body).to.deep.equal({ revoked: 2 })
      for (const { token } of [owner, two]) expectProblem(await me(token), 401, 'auth/unauthenticated')
      expect((await me(ada.token)).status).to.equal(200)
    })

    it('all at once leave none that was being replaced just then', async () => {
      const owner = await newHuman(api)
      const { token } = await newAgent(api, owner)
      const path = `${await tokenOf(token)}/rotate`
      // While the owner's row is held both are on their way, the rotation first.
      const sent = await api.db.transaction().execute(async (tx) => {
        await tx.selectFrom('market.humans').select('id').where('id', '=', owner.id).forUpdate().execute()
        const rotation = post(path, token)
        await untilWaitingForLocks(api.db, 1)
        const revocation = post('revoke_all', owner.token)
        await untilWaitingForLocks(api.db, 2)
        return [rotation, revocation]
      })
      await Promise.all(sent)
      const live = api.db.selectFrom('market.tokens').select('id').where('human_id', '=', owner.id)
      expect(await live.where('revoked_at', 'is', null).execute()).to.deep.equal([])
    })

    it('all at once takes the scope to manage', async () => {
      expectProblem(await post('revoke_all', await fresh()), 403, 'auth/scope-insufficient')
    })
  })

  it('are listed to whose they are, newest first, without what is good no more', async () => {
    const owner = await newHuman(api)
    const { urn, token } = await newAgent(api, owner)
    const gone = await mint(api, owner.token, urn, ['read'])
    await post(`${await tokenOf(gone)}/revoke`, gone)
    const expired = await mint(api, owner.token, urn, ['read'])
    const expiredId = (await tokenOf(expired)).slice(-36)
    await sql`update market.tokens set expires_at = market.now() where id = ${expiredId}`.execute(api.db)
    expectProblem(await me(expired), 401, 'auth/unauthenticated')
    const { tokens } = await list(owner.token)
    expect(tokens.map(({ is_current, owner_urn }) => ({ is_current, prefix: owner_urn.prefix }))).to.deep.equal([
      { is_current: false, prefix: 'agent' },
      { is_current: true, prefix: 'human' },
    ])
    expect(JSON.stringify(tokens)).to.not.include('market_pat_')
    const own = await list(token)
    expect(own.tokens.map(({ is_current }) => is_current)).to.deep.equal([true])
    const first = await list(owner.token, '?limit=1')
    const second = await list(owner.token, `?limit=1&cursor=${first.next}`)
    expect([...first.tokens, ...second.tokens].map((each) => each.urn)).to.deep.equal(tokens.map((each) => each.urn))
  })

  it('are each listed once, while others are minted', async () => {
    const owner = await newHuman(api)
    const { urn } = await newAgent(api, owner)
    const sizes = fc.record({ limit: fc.integer({ min: 1, max: 4 }), minted: fc.integer({ min: 0, max: 3 }) })
    const urnsOf = (tokens: ListedToken[]) => tokens.map((token) => token.urn.body)
    const property = fc.asyncProperty(sizes, async ({ limit, minted }) => {
      const before = urnsOf((await list(owner.token, '?limit=100')).tokens)
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const mints = Array.from({ length: minted }, () => mint(api, owner.token, urn, ['read']))
        const [page] = await Promise.all([list(owner.token, `?limit=${limit}${cursor}`), ...mints])
        seen.push(...urnsOf(page.tokens))
        if (page.next === null) break
        cursor = `&cursor=${page.next}`
      }
      expect(new Set(seen).size).to.equal(seen.length)
      expect(seen).to.include.members(before)
      await sql`update market.tokens set revoked_at = market.now()
        where agent_id is not null and human_id = ${owner.id} and ctid in (
          select ctid from market.tokens where agent_id is not null and human_id = ${owner.id} and revoked_at is null
          order by random() limit 8)`.execute(api.db)
    })
    await fc.assert(property, { numRuns: 10 })
  })

  it('say when they were last used, to the hour', async () => {
    const token = await fresh(['read'])
    const lastUse = async () => (await list(token)).tokens.find(({ is_current }) => is_current)?.last_used_at
    const first = await lastUse()
    expect(Date.parse(first ?? '')).to.be.within(Date.now() - 60_000, Date.now() + 60_000)
    expect(await lastUse()).to.equal(first)
    const urn = (await tokenOf(token)).split(':').at(-1)
    await sql`update market.tokens set last_used_at = last_used_at - interval '61 minutes' where id = ${urn}`.execute(
      api.db,
    )
    expect(Date.parse((await lastUse()) ?? '')).to.be.at.least(Date.parse(first ?? ''))
  })

  it('that are replaced or revoked are written down, by whom', async () => {
    const old = await fresh()
    const urn = await tokenOf(old)
    const { body } = await rotate(old)
    await post(`${urnString('token', body.urn.body)}/revoke`, ada.token)
    const entries = await api.db
      .selectFrom('market.audit_log')
      .select(['actor', 'action', 'subject'])
      .where('action', 'in', ['token.rotate', 'token.revoke'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(entries).to.deep.equal([
      { actor: ada.urn, action: 'token.revoke', subject: urnString('token', body.urn.body) },
      { actor: agent.urn, action: 'token.rotate', subject: urn },
    ])
  })
})
