import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { appointOperator, dismissOperator } from '../../../../api/identity/setup/appoint.ts'
import { bootstrap } from '../../../../api/identity/setup/bootstrap.ts'
import { type Account, firstHuman, mint, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

describe('accounts', () => {
  let api: Api
  let ada: Account
  before(async () => {
    api = await startApi()
    ada = firstHuman(api)
  })
  after(() => api.stop())

  it('are bootstrapped once: an operator and a human, each with every scope', async () => {
    const operator = await api.send('GET', '/v1/me', { token: api.first.operator_token })
    const human = await api.send('GET', '/v1/me', { token: api.first.human_token })
    expect(operator.body).to.include({ role: 'operator' })
    expect(human.body).to.include({ role: 'member' })
    expect(human.body.scopes).to.have.members(['read', 'transact', 'withdraw', 'manage'])
    const again = await bootstrap(api.databaseUrl, api.settings).catch((error: Error) => error)
    expect(again).to.be.instanceOf(Error)
  })

  it('of operators are appointed and dismissed by the owner of the database, tokens that exist included', async () => {
    const { token, id: humanId } = await newHuman(api)
    const status = async () => (await api.send('GET', '/v1/operator/status', { token })).status
    expect(await status()).to.equal(403)
    await appointOperator(api.databaseUrl, humanId, { isReviewer: true })
    expect(await status()).to.equal(200)
    await dismissOperator(api.databaseUrl, humanId)
    expect(await status()).to.equal(403)
    const again = await dismissOperator(api.databaseUrl, humanId).catch(String)
    expect(again).to.contain('there is no such operator')
  })

  it('of a new human come with a ledger account on which nothing stands yet [spec 2.2:1 4:2]', async () => {
    const body = { display_name: 'Grace', email: 'grace@example.com' }
    const reply = await api.send('POST', '/v1/accounts/humans', { token: api.first.operator_token, body })
    expect(reply.status).to.equal(201)
    expect(reply.body).to.deep.include(body)
    const account = await api.db
      .selectFrom('ledger.accounts')
      .select(['kind', 'balance'])
      .where('owner_type', '=', 'human')
      .where('owner_id', '=', reply.body.urn.body)
      .execute()
    expect(account).to.deep.equal([{ kind: 'payable', balance: 0n }])
  })

  it('of an agent belong to the human who made it, and start without a token [spec 1:1 2.3:1 4:3]', async () => {
    const body = { owner_urn: { prefix: 'human', body: ada.id }, display_name: 'Scout' }
    const reply = await api.send('POST', '/v1/accounts/agents', { token: ada.token, body })
    expect(reply.status).to.equal(201)
    expect(reply.body.owner_urn).to.deep.equal({ prefix: 'human', body: ada.id })
    expect(reply.body.description).to.equal('')
    const tokens = await api.db
      .selectFrom('market.tokens')
      .select('id')
      .where('agent_id', '=', reply.body.urn.body)
      .execute()
    expect(tokens).to.deep.equal([])
  })

  it('cannot be made in the name of another human [spec 4:3]', async () => {
    const bob = await newHuman(api)
    const body = { owner_urn: bob.urn, display_name: 'Scout' }
    expectProblem(
      await api.send('POST', '/v1/accounts/agents', { token: ada.token, body }),
      403,
      'auth/forbidden',
      'owner_urn',
    )
  })

  it('are no business of agents', async () => {
    const agent = await newAgent(api, ada)
    const body = { owner_urn: ada.urn, display_name: 'Scout' }
    expectProblem(await api.send('POST', '/v1/accounts/agents', { token: agent.token, body }), 403, 'auth/forbidden')
  })

  it('of an agent are acted in by its human, who names it in Market-Agent', async () => {
    const agent = await newAgent(api, ada)
    const me = await api.send('GET', '/v1/me', { token: ada.token, headers: { 'market-agent': agent.urn } })
    expect(me.body.urn).to.deep.equal({ prefix: 'agent', body: agent.id })
    expect(me.body.owner_urn).to.deep.equal({ prefix: 'human', body: ada.id })
  })

  it('of another human’s agent are not, and nobody learns which agents there are', async () => {
    const agent = await newAgent(api, await newHuman(api))
    for (const token of [ada.token, (await newAgent(api, ada)).token]) {
      const details = []
      for (const named of [agent.urn, 'market:agent:01890000-0000-7000-8000-000000000000']) {
        const reply = await api.send('GET', '/v1/me', { token, headers: { 'market-agent': named } })
        expectProblem(reply, 403, 'auth/forbidden', 'Market-Agent')
        details.push(reply.body.detail)
      }
      expect(details[0]).to.equal(details[1])
    }
  })

  it('of an agent are acted in with the scopes of the token that acts', async () => {
    const agent = await newAgent(api, ada)
    const reader = await mint(api, ada.token, ada.urn, ['read'])
    const body = { title: 'Work', description: 'Done well.', price: '20.000000' }
    const offer = (token: string) =>
      api.send('POST', '/v1/asks', { token, body, headers: { 'market-agent': agent.urn } })
    expectProblem(await offer(reader), 403, 'auth/scope-insufficient')
    expect((await offer(ada.token)).body.seller_urn).to.deep.equal({ prefix: 'agent', body: agent.id })
  })
})

describe('a token', () => {
  let api: Api
  let ada: Account
  let agent: Account
  before(async () => {
    api = await startApi()
    ada = firstHuman(api)
    agent = await newAgent(api, ada)
  })
  after(() => api.stop())

  const ask = (token: string, body: object) => api.send('POST', '/v1/me/tokens', { token, body })

  it('is kept as its SHA-256 alone [spec 2.4:2 5:8]', async () => {
    const secret = await mint(api, ada.token, agent.urn, ['read'])
    expect(secret).to.match(/^market_pat_[A-Za-z0-9_-]{43}$/)
    const rows = await api.db.selectFrom('market.tokens').selectAll().execute()
    const kept = JSON.stringify(rows.map((row) => ({ ...row, secret_hash: row.secret_hash.toString('latin1') })))
    expect(kept).not.to.include(secret.slice('market_pat_'.length))
  })

  it('does what its scopes say and no more [spec 2.4:3 4:5 5:3 5:4] [risk API5]', async () => {
    const reader = await mint(api, ada.token, ada.urn, ['read'])
    expect((await api.send('GET', '/v1/me', { token: reader })).status).to.equal(200)
    const body = { display_name: 'Grace', email: 'grace@example.com' }
    expectProblem(
      await api.send('POST', '/v1/accounts/humans', { token: reader, body }),
      403,
      'auth/scope-insufficient',
    )
    const manager = await mint(api, ada.token, ada.urn, ['manage'])
    expectProblem(await api.send('GET', '/v1/me', { token: manager }), 403, 'auth/scope-insufficient')
  })

  it('cannot grant a scope it lacks [spec 5:7] [risk API5]', async () => {
    const manager = await mint(api, ada.token, ada.urn, ['manage', 'read'])
    expectProblem(
      await ask(manager, { owner_urn: agent.urn, scopes: ['read', 'withdraw'] }),
      403,
      'auth/scope-insufficient',
      'scopes',
    )
  })

  it('cannot be minted by an agent, not even for itself [spec 4:5 5:5]', async () => {
    expectProblem(await ask(agent.token, { owner_urn: agent.urn, scopes: ['read'] }), 403, 'auth/forbidden')
  })

  it('cannot be minted for another human or for their agents', async () => {
    const bob = await newHuman(api)
    const bobs = await newAgent(api, bob)
    for (const owner_urn of [bob.urn, bobs.urn, 'market:agent:01890000-0000-7000-8000-000000000000']) {
      expectProblem(await ask(ada.token, { owner_urn, scopes: ['read'] }), 403, 'auth/forbidden', 'owner_urn')
    }
  })

  it('ends when it says, and grants nothing beyond [spec 5:13]', async () => {
    const { now } = await clock(api)
    const end = new Date(now.getTime() + 3_600_000).toISOString()
    const reply = await ask(ada.token, { owner_urn: ada.urn, scopes: ['manage', 'read'], expires_at: end })
    const token = reply.body.secret
    expect((await api.send('GET', '/v1/me', { token })).body.expires_at).to.equal(end)
    const later = new Date(now.getTime() + 7_200_000).toISOString()
    expectProblem(
      await ask(token, { owner_urn: agent.urn, scopes: ['read'], expires_at: later }),
      400,
      'request/invalid',
      'expires_at',
    )
    const inherited = await ask(token, { owner_urn: agent.urn, scopes: ['read'] })
    expect((await api.send('GET', '/v1/me', { token: inherited.body.secret })).body.expires_at).to.equal(end)
    await api.db.updateTable('market.tokens').set({ expires_at: now }).where('id', '=', reply.body.urn.body).execute()
    expectProblem(await api.send('GET', '/v1/me', { token }), 401, 'auth/unauthenticated')
  })

  it('that was revoked is refused [spec 5:10]', async () => {
    const { body } = await ask(ada.token, { owner_urn: agent.urn, scopes: ['read'] })
    const { now } = await clock(api)
    await api.db.updateTable('market.tokens').set({ revoked_at: now }).where('id', '=', body.urn.body).execute()
    expectProblem(await api.send('GET', '/v1/me', { token: body.secret }), 401, 'auth/unauthenticated')
  })

  for (const [name, body, field] of [
    ['no scopes', { scopes: [] }, 'scopes'],
    ['a scope twice', { scopes: ['read', 'read'] }, 'scopes'],
    ['an unknown scope', { scopes: ['admin'] }, 'scopes.0'],
    [
      'an owner of another kind',
      { scopes: ['read'], owner_urn: 'market:ask:01890000-0000-7000-8000-000000000000' },
      'owner_urn',
    ],
    ['an end in the past', { scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ] as const) {
    it(`is not minted with ${name}`, async () => {
      expectProblem(await ask(ada.token, { owner_urn: agent.urn, ...body }), 400, 'request/invalid', field)
    })
  }
})

describe('outside a sandbox', () => {
  let api: Api
  before(async () => {
    api = await startApi({ sandbox: false })
  })
  after(() => api.stop())

  it('withdraw and manage are granted to a passkey only', async () => {
    const ada = firstHuman(api)
    for (const scope of ['withdraw', 'manage']) {
      const body = { owner_urn: ada.urn, scopes: ['read', scope] }
      expectProblem(
        await api.send('POST', '/v1/me/tokens', { token: ada.token, body }),
        403,
        're_auth_required',
        'scopes',
      )
    }
    expect(await mint(api, ada.token, ada.urn, ['read', 'transact'])).to.match(/^market_pat_/)
  })

  it('nobody mints another human’s first token, not even an operator', async () => {
    const body = { display_name: 'Grace', email: 'grace@example.com' }
    const { operator_token: token } = api.first
    const grace = await api.send('POST', '/v1/accounts/humans', { token, body })
    const request = { owner_urn: grace.body.urn, scopes: ['read'] }
    expectProblem(await api.send('POST', '/v1/me/tokens', { token, body: request }), 403, 'auth/forbidden', 'owner_urn')
  })

  it('no clock is moved and no money is given away', async () => {
    for (const path of ['/sandbox/clock/advance', '/sandbox/faucet', '/sandbox/humans']) {
      expectProblem(
        await api.send('POST', path, { token: api.first.operator_token, body: {} }),
        404,
        'request/not-found',
      )
    }
    const told = await api.send('GET', '/sandbox/clock', { token: api.first.operator_token })
    expectProblem(told, 404, 'request/not-found')
  })
})

async function clock(api: Api): Promise<{ now: Date }> {
  const row = await api.db.selectNoFrom((row) => row.fn<Date>('market.now').as('now')).executeTakeFirstOrThrow()
  return row
}
