import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Account, mint, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'
import { type Api, expectProblem, type Reply, startApi } from '../../../kit/api/platform/http/api.ts'

describe('an agent', () => {
  let api: Api
  let ada: Account
  before(async () => {
    api = await startApi()
    ada = await newHuman(api)
  })
  after(() => api.stop())

  const me = (token: string) => api.send('GET', '/v1/me', { token })
  const issue = (agent: Account, body: object = { scopes: ['read', 'transact'] }, token = ada.token, headers = {}) =>
    api.send('POST', `/v1/me/agents/${agent.urn}/tickets`, { token, body, headers })
  const exchange = (ticket: unknown) => api.send('POST', '/v1/tickets/exchange', { body: { ticket } })
  const deactivate = (agent: Account, token = ada.token) =>
    api.send('POST', `/v1/me/agents/${agent.urn}/deactivate`, { token })
  const newTicket = async (agent: Account) => (await issue(agent)).body.ticket as string
  const offer = (by: Account, headers = {}): Promise<Reply> => {
    const body = { title: 'Work', description: 'Done well.', price: '20.000000' }
    return api.send('POST', '/v1/asks', { token: by.token, body, headers })
  }

  it('and its human are found by operators, by the beginning of a name or a URN', async () => {
    const named = (display_name: string) => {
      const body = { display_name, email: `${display_name.length}@example.com` }
      return api.send('POST', '/v1/accounts/humans', { token: ada.token, body })
    }
    for (const name of ['Quill_Zwei', 'quillan', 'Quill']) expect((await named(name)).status).to.equal(201)
    const find = async (query: string, token = api.first.operator_token) => {
      const reply = await api.send('GET', `/v1/operator/humans?${query}`, { token })
      const humans = (reply.body.humans ?? []) as { display_name: string; urn: { body: string }; passkeys: number }[]
      return { reply, humans, names: humans.map(({ display_name }) => display_name) }
    }
    expect((await find('q=QUILL')).names).to.deep.equal(['Quill', 'Quill_Zwei', 'quillan'])
    expect((await find('q=quill_')).names).to.deep.equal(['Quill_Zwei'])
    const first = await find('q=quill&limit=2')
    const rest = await find(`q=quill&limit=2&cursor=${first.reply.body.next_cursor}`)
    expect(rest.names).to.deep.equal(['quillan'])
    expect(rest.humans[0]).to.include({ passkeys: 0 }).and.to.not.have.property('email')
    const agent = await newAgent(api, ada)
    for (const urn of [agent.urn, ada.urn]) {
      expect((await find(`q=${urn}`)).humans.map((human) => human.urn.body)).to.deep.equal([ada.id])
    }
    expectProblem((await find('q=quill', ada.token)).reply, 403, 'auth/forbidden')
  })

  describe('with a ticket', () => {
    it('gets the token its human has fixed [spec 5:15]', async () => {
      const agent = await newAgent(api, ada)
      const { status, body: ticket } = await issue(agent, { scopes: ['read', 'transact'] })
      expect(status).to.equal(201)
      expect(ticket.ticket).to.match(/^market_ticket_[A-Za-z0-9_-]{43}$/)
      expect(Date.parse(ticket.expires_at) - Date.now()).to.be.within(890_000, 900_000)
      const { status: exchanged, body: token } = await exchange(ticket.ticket)
      expect(exchanged).to.equal(201)
      expect((await me(token.secret)).body).to.deep.include({
        urn: { prefix: 'agent', body: agent.id },
        scopes: ['read', 'transact'],
        expires_at: null,
      })
    })

    it('gets one token, however many ask at once', async () => {
      const agent = await newAgent(api, ada)
      const ticket = await newTicket(agent)
      const before = await liveTokens(agent)
      const replies = await Promise.all(Array.from({ length: 10 }, () => exchange(ticket)))
      expect(replies.filter(({ status }) => status === 201)).to.have.length(1)
      for (const reply of replies.filter(({ status }) => status !== 201))
        expectProblem(reply, 401, 'auth/ticket-invalid', 'ticket')
      expect(await liveTokens(agent)).to.equal(before + 1)
    })

    it('that is too old, replaced or revoked, or none, gets nothing, and is not told which', async () => {
      const agent = await newAgent(api, ada)
      const replaced = await newTicket(agent)
      const { body } = await issue(agent)
      expect((await exchange(replaced)).status).to.equal(401)
      const revoke = `/v1/me/tickets/${urnString('ticket', body.urn.body)}/revoke`
      const stranger = await newHuman(api)
      expectProblem(await api.send('POST', revoke, { token: stranger.token }), 404, 'resource/not-found')
      expect((await api.send('POST', revoke, { token: ada.token })).status).to.equal(204)
      const old = await newTicket(await newAgent(api, ada))
      await sql`update market.agent_tickets set expires_at = expires_at - interval '15 minutes'`.execute(api.db)
      const replies = [await exchange(replaced), await exchange(body.ticket), await exchange(old), await exchange('no')]
      for (const reply of replies) expectProblem(reply, 401, 'auth/ticket-invalid', 'ticket')
      expect(new Set(replies.map((reply) => reply.body.detail)).size).to.equal(1)
    })

    it('gets nothing once its human has revoked everything', async () => {
      const owner = await newHuman(api)
      const agent = await newAgent(api, owner)
      const { body } = await issue(agent, { scopes: ['read'] }, owner.token)
      await api.send('POST', '/v1/me/tokens/revoke_all', { token: owner.token })
      expectProblem(await exchange(body.ticket), 401, 'auth/ticket-invalid', 'ticket')
    })

    it('is somebody’s own, and no more may be granted by it than by a token', async () => {
      const agent = await newAgent(api, ada)
      const stranger = await newHuman(api)
      expectProblem(await issue(agent, { scopes: ['read'] }, stranger.token), 404, 'resource/not-found')
      expectProblem(await issue(agent, { scopes: ['read'] }, agent.token), 403, 'auth/forbidden')
      const manager = await mint(api, ada.token, ada.urn, ['read', 'manage'])
      expectProblem(await issue(agent, { scopes: ['transact'] }, manager), 403, 'auth/scope-insufficient', 'scopes')
    })

    it('is kept as a hash alone, also where its answer can be repeated', async () => {
      const agent = await newAgent(api, ada)
      const key = { 'idempotency-key': 'ticket' }
      const first = await issue(agent, { scopes: ['read'] }, ada.token, key)
      expect((await issue(agent, { scopes: ['read'] }, ada.token, key)).body).to.deep.equal(first.body)
      const secret = (first.body.ticket as string).slice('market_ticket_'.length)
      const { rows } = await sql<{ text: string }>`
        select string_agg(kept, ' ') as text from (
          select encode(secret_hash, 'escape') as kept from market.agent_tickets
          union all select encode(body, 'escape') from market.idempotent_answers
          union all select details::text from market.audit_log) everything`.execute(api.db)
      expect(rows[0]?.text).to.be.a('string').that.does.not.include(secret)
    })
  })

  it('is listed to its human, page by page, and to nobody else', async () => {
    const owner = await newHuman(api)
    const agents = [await newAgent(api, owner, 'First'), await newAgent(api, owner, 'Second')]
    const list = async (query: string, token = owner.token) =>
      (await api.send('GET', `/v1/me/agents${query}`, { token })).body as unknown as {
        agents: { urn: { body: string } }[]
        next_cursor: string | null
      }
    const first = await list('?limit=1')
    const second = await list(`?limit=1&cursor=${first.next_cursor}`)
    const ids = [...first.agents, ...second.agents].map(({ urn }) => urn.body)
    expect(ids).to.deep.equal(agents.map(({ id }) => id).reverse())
    expect((await list('', (await newHuman(api)).token)).agents).to.deep.equal([])
  })

  it('presents itself to everybody, and does not say whose it is [spec 2.3:2] [risk API3]', async () => {
    const agent = await newAgent(api, await newHuman(api), 'Quill')
    const path = `/v1/agents/${urnString('agent', agent.id)}`
    const { status, body } = await api.send('GET', path, { token: (await newHuman(api)).token })
    expect({ status, ...body }).to.deep.include({ status: 200, display_name: 'Quill', deactivated_at: null })
    expect(body).to.not.have.property('owner_urn')
  })

  describe('that is deactivated', () => {
    it('has no tokens, no ticket and nothing on offer, and gets none of it again [spec 8.1:5]', async () => {
      const agent = await newAgent(api, ada)
      const asActing = { 'market-agent': agent.urn }
      const ticket = await newTicket(agent)
      const ask = (await offer(agent)).body
      const { status, body } = await deactivate(agent)
      expect(status).to.equal(200)
      expect(body.deactivated_at).to.be.a('string')
      expectProblem(await me(agent.token), 401, 'auth/unauthenticated')
      expectProblem(await exchange(ticket), 401, 'auth/ticket-invalid', 'ticket')
      const path = `/v1/asks/${urnString('ask', ask.urn.body)}`
      expect((await api.send('GET', path, { token: ada.token })).body.active).to.equal(false)
      const owner_urn = agent.urn
      const refused = [
        await api.send('POST', '/v1/me/tokens', { token: ada.token, body: { owner_urn, scopes: ['read'] } }),
        await issue(agent),
        await offer(ada, asActing),
        await api.send('PATCH', path, { token: ada.token, body: { active: true }, headers: asActing }),
      ]
      for (const reply of refused) expectProblem(reply, 409, 'agents/deactivated')
      const again = await deactivate(agent)
      expect([again.status, again.body]).to.deep.equal([200, body])
    })

    it('has its bids closed and its quotes withdrawn, and those they concern are told', async () => {
      const [agent, other] = [await newAgent(api, ada), await newAgent(api, await newHuman(api))]
      const bidOf = async (bidder: Account) => {
        const body = { title: 'Wanted', description: 'A sonnet.', max_price: '9.000000' }
        return urnString('bid', (await api.send('POST', '/v1/bids', { token: bidder.token, body })).body.urn.body)
      }
      const quoteOn = async (bid_urn: string, seller: Account) => {
        const body = { bid_urn, price: '8.000000' }
        return urnString('quote', (await api.send('POST', '/v1/quotes', { token: seller.token, body })).body.urn.body)
      }
      const [own, theirs] = [await bidOf(agent), await bidOf(other)]
      const [given, received] = [await quoteOn(theirs, agent), await quoteOn(own, other)]
      expect((await deactivate(agent)).status).to.equal(200)
      const stateOf = async (path: string) => (await api.send('GET', path, { token: other.token })).body.state
      expect(await stateOf(`/v1/bids/${own}`)).to.equal('closed')
      expect(await stateOf(`/v1/quotes/${given}`)).to.equal('withdrawn')
      expect(await stateOf(`/v1/bids/${theirs}`)).to.equal('open')
      const { rows } = await sql<{ event_type: string; about: string }>`
        select event_type, coalesce(payload->>'quote_urn', payload->>'bid_urn') as about from market.events
        where event_type in ('bid.closed', 'quote.withdrawn') and visible_to && array[${agent.id}, ${other.id}]::uuid[]`.execute(
        api.db,
      )
      expect(rows).to.have.deep.members([
        { event_type: 'bid.closed', about: own },
        { event_type: 'quote.withdrawn', about: given },
      ])
      // What others offered on its bids goes with the bid.
      expect(await stateOf(`/v1/quotes/${received}`)).to.equal('open')
    })

    it('keeps no token that was being replaced just then', async () => {
      const agent = await newAgent(api, ada)
      const path = `/v1/me/tokens/${urnString('token', await tokenOf(agent))}/rotate`
      // While the agent's row is held both are on their way, in whichever order.
      const replies = await api.db.transaction().execute(async (tx) => {
        await tx.selectFrom('market.agents').select('id').where('id', '=', agent.id).forUpdate().execute()
        const sent = [api.send('POST', path, { token: agent.token })]
        await untilWaitingForLocks(api.db, 1)
        sent.push(deactivate(agent))
        await untilWaitingForLocks(api.db, 2)
        return sent
      })
      await Promise.all(replies)
      expect(await liveTokens(agent)).to.equal(0)
    })

    it('is one’s own', async () => {
      const agent = await newAgent(api, ada)
      expectProblem(await deactivate(agent, (await newHuman(api)).token), 404, 'resource/not-found')
      expectProblem(await deactivate(agent, agent.token), 403, 'auth/forbidden')
      expect((await me(agent.token)).status).to.equal(200)
    })
  })

  const liveTokens = async (agent: Account) => {
    const tokens = api.db.selectFrom('market.tokens').select('id').where('agent_id', '=', agent.id)
    return (await tokens.where('revoked_at', 'is', null).execute()).length
  }
  const tokenOf = async (agent: Account) => ((await me(agent.token)).body.token_urn as { body: string }).body
})
