import { after, before, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Account, mint, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

describe('a profile', () => {
  let api: Api
  let ada: Account
  let scout: Account
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())
  beforeEach(async () => {
    ada = await newHuman(api, 'Ada')
    scout = await newAgent(api, ada, 'Scout')
  })

  const me = async (token: string, headers = {}) => (await api.send('GET', '/v1/me', { token, headers })).body
  const change = (body: object, token = ada.token, headers = {}) =>
    api.send('PATCH', '/v1/me', { token, body, headers })
  const changeAgent = (agent: Account, body: object, token = ada.token, headers = {}) =>
    api.send('PATCH', `/v1/me/agents/${agent.urn}`, { token, body, headers })
  const audited = (action: string, subject: string) =>
    api.db
      .selectFrom('market.audit_log')
      .select(['actor', 'details'])
      .where('action', '=', action)
      .where('subject', '=', subject)
      .orderBy('id')
      .execute()
  const confirm = () =>
    api.db
      .updateTable('market.humans')
      .set({ confirmed_email: 'someone@example.com' })
      .where('id', '=', ada.id)
      .execute()
  const confirmed = async () => {
    const { body } = await api.send('GET', '/me/email', { token: ada.token, headers: { 'market-version': undefined } })
    return body
  }

  describe('of a person', () => {
    it('shows the e-mail to them, and not to an agent of theirs [spec 2.2:3 4:4]', async () => {
      expect(await me(ada.token)).to.include({ display_name: 'Ada', email: 'someone@example.com' })
      expect(await me(scout.token)).to.include({ display_name: 'Scout', email: null })
      expect(await me(ada.token, { 'market-agent': scout.urn })).to.include({ email: null })
    })

    it('gets another name or e-mail, or both, and keeps what is not named', async () => {
      const { status, body } = await change({ display_name: 'Ada King' })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body).to.deep.include({ urn: { prefix: 'human', body: ada.id }, display_name: 'Ada King' })
      expect(body.email).to.equal('someone@example.com')
      expect((await change({ email: 'king@example.com' })).body).to.include({ display_name: 'Ada King' })
      expect(await me(ada.token)).to.include({ display_name: 'Ada King', email: 'king@example.com' })
      await change({ display_name: 'Ada L.', email: 'l@example.com' })
      expect(await me(ada.token)).to.include({ display_name: 'Ada L.', email: 'l@example.com' })
      const entry = (display_name: boolean, email: boolean) => ({ actor: ada.urn, details: { display_name, email } })
      const entries = [entry(true, false), entry(false, true), entry(true, true)]
      expect(await audited('human.change', ada.urn)).to.deep.equal(entries)
    })

    it('by calls at once keeps what each of them named', async () => {
      const changes = Array.from({ length: 6 }, (_, call) =>
        change(call % 2 === 0 ? { display_name: 'Ada King' } : { email: 'king@example.com' }),
      )
      expect((await Promise.all(changes)).map(({ status }) => status)).to.deep.equal(Array(6).fill(200))
      expect(await me(ada.token)).to.include({ display_name: 'Ada King', email: 'king@example.com' })
      expect(await audited('human.change', ada.urn)).to.have.length(2)
    })

    it('with another e-mail is told nothing by mail until that is confirmed, also where it was before', async () => {
      await confirm()
      await change({ display_name: 'Ada King' })
      expect(await confirmed()).to.deep.equal({ email: 'someone@example.com', is_confirmed: true })
      await change({ email: 'king@example.com' })
      expect(await confirmed()).to.deep.equal({ email: 'king@example.com', is_confirmed: false })
      await change({ email: 'someone@example.com' })
      expect(await confirmed()).to.deep.equal({ email: 'someone@example.com', is_confirmed: false })
    })

    it('may have the e-mail of somebody else, as from the start: only who reads its mail confirms it', async () => {
      const bob = await newHuman(api, 'Bob')
      await change({ email: 'bob@example.com' }, bob.token)
      expect((await change({ email: 'bob@example.com' })).status).to.equal(200)
      expect(await confirmed()).to.deep.equal({ email: 'bob@example.com', is_confirmed: false })
    })

    it('that is so already is not changed: no audit entry, and the e-mail stays confirmed', async () => {
      await confirm()
      const { status, body } = await change({ display_name: 'Ada', email: 'someone@example.com' })
      expect([status, body.display_name, body.email]).to.deep.equal([200, 'Ada', 'someone@example.com'])
      expect(await audited('human.change', ada.urn)).to.deep.equal([])
      expect(await confirmed()).to.include({ is_confirmed: true })
    })

    it('is refused with the field that is wrong, and then nothing changes', async () => {
      for (const [body, field] of [
        [{ display_name: '', email: 'king@example.com' }, 'display_name'],
        [{ display_name: 'x'.repeat(101), email: 'king@example.com' }, 'display_name'],
        [{ display_name: 'Ada King', email: 'king' }, 'email'],
        [{ display_name: 'Ada King', email: `${'k'.repeat(250)}@example.com` }, 'email'],
        [{ display_name: 'Ada King', email: null }, 'email'],
        [{ display_name: 'Ada King', role: 'operator' }, 'role'],
      ] as const)
        expectProblem(await change(body), 400, 'request/invalid', field)
      expectProblem(await change({}), 400, 'request/invalid')
      expect(await me(ada.token)).to.include({ display_name: 'Ada', email: 'someone@example.com', role: 'member' })
    })

    it('is changed by nobody without the scope, by no agent, and by no call of an older version', async () => {
      const body = { display_name: 'Ada King' }
      const weak = await mint(api, ada.token, ada.urn, ['read', 'transact', 'withdraw'])
      expectProblem(await change(body, weak), 403, 'auth/scope-insufficient')
      expectProblem(await change(body, scout.token), 403, 'auth/forbidden')
      expectProblem(
        await change(body, ada.token, { 'market-version': '2026-05-05' }),
        404,
        'version/route-unavailable',
        'Market-Version',
      )
      expect(await me(ada.token)).to.include({ display_name: 'Ada' })
    })
  })

  describe('of an agent', () => {
    it('gets another name or description from its owner, as themselves and in its place', async () => {
      const { status, body } = await changeAgent(scout, { display_name: 'Ranger' })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body).to.deep.include({ urn: { prefix: 'agent', body: scout.id }, display_name: 'Ranger' })
      expect(body.description).to.equal('Works.')
      const inPlace = await changeAgent(scout, { description: '' }, ada.token, { 'market-agent': scout.urn })
      expect(inPlace.body).to.include({ display_name: 'Ranger', description: '' })
      const { body: shown } = await api.send('GET', `/v1/agents/${scout.urn}`, { token: ada.token })
      expect(shown).to.include({ display_name: 'Ranger', description: '' })
    })

    it('gets it from itself, with the scope', async () => {
      const { body } = await changeAgent(scout, { display_name: 'Ranger', description: 'Roams.' }, scout.token)
      expect(body).to.include({ display_name: 'Ranger', description: 'Roams.' })
      const details = { display_name: true, description: true }
      expect(await audited('agent.change', scout.urn)).to.deep.equal([{ actor: scout.urn, details }])
      const weak = await mint(api, ada.token, scout.urn, ['read', 'transact', 'withdraw'])
      expectProblem(await changeAgent(scout, { display_name: 'Scout' }, weak), 403, 'auth/scope-insufficient')
    })

    it('gets none from others: another person, another agent of its owner', async () => {
      const bob = await newHuman(api, 'Bob')
      const sibling = await newAgent(api, ada, 'Sibling')
      const body = { display_name: 'Taken' }
      for (const token of [bob.token, (await newAgent(api, bob)).token, sibling.token, api.first.operator_token])
        expectProblem(await changeAgent(scout, body, token), 404, 'resource/not-found')
      const asSibling = await changeAgent(scout, body, ada.token, { 'market-agent': sibling.urn })
      expectProblem(asSibling, 404, 'resource/not-found')
      expect(await me(scout.token)).to.include({ display_name: 'Scout' })
      expect(await audited('agent.change', scout.urn)).to.deep.equal([])
    })

    it('that is so already is not changed, and has no audit entry', async () => {
      const { status, body } = await changeAgent(scout, { display_name: 'Scout', description: 'Works.' })
      expect([status, body.display_name]).to.deep.equal([200, 'Scout'])
      expect(await audited('agent.change', scout.urn)).to.deep.equal([])
    })

    it('is refused with the field that is wrong', async () => {
      expectProblem(await changeAgent(scout, { display_name: '' }), 400, 'request/invalid', 'display_name')
      const long = { description: 'x'.repeat(2_001) }
      expectProblem(await changeAgent(scout, long), 400, 'request/invalid', 'description')
      expectProblem(await changeAgent(scout, {}), 400, 'request/invalid')
    })
  })
})
