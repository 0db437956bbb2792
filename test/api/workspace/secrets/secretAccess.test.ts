import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { grow, type SignedUp, signUp } from '../../../kit/api/identity/passkeys/browser.ts'
import { type Api, expectProblem, type Reply, startApi } from '../../../kit/api/platform/http/api.ts'

const ORG = '/orgs/works'
const MINUTES = '5 minutes'

// Outside a sandbox: there a token stands for a session, and for its passkey.
describe('a secret, to a stolen token', () => {
  let api: Api
  let ada: SignedUp
  let agentUrn: string
  /** Of Ada, with a spend limit that buys nothing. */
  let token: string
  let agentToken: string
  let secret: string
  const workspace = { 'market-version': undefined }
  before(async () => {
    api = await startApi({ sandbox: false })
    ada = await signUp(api)
    const made = async (path: string, body: object) => {
      const reply = await ada.browser.send('POST', path, { body })
      expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
      return reply.body
    }
    await made('/v1/me/orgs', { slug: 'works', display_name: 'Works' })
    agentUrn = urnString(
      'agent',
      (await made('/v1/accounts/agents', { owner_urn: ada.urn, display_name: 'A' })).urn.body,
    )
    const scopes = ['read', 'transact']
    const spend_limit = { per_order: '0.000001', per_day: '0.000001' }
    token = (await made('/v1/me/tokens', { owner_urn: ada.urn, scopes, spend_limit })).secret
    agentToken = (await made('/v1/me/tokens', { owner_urn: agentUrn, scopes })).secret
    secret = String((await made(`${ORG}/secrets`, { name: 'press-key', value: 'correct horse' })).id)
  })
  after(() => api.stop())

  const asToken = (
    method: string,
    path: string,
    body: object | undefined,
    by = token,
    headers: Record<string, string> = {},
  ) =>
    api.send(method, `${ORG}${path}`, { token: by, ...(body ? { body } : {}), headers: { ...workspace, ...headers } })
  const reveal = (by?: string, headers?: Record<string, string>, body = {}) =>
    asToken('POST', `/secrets/${secret}/reveal`, body, by, headers)
  const ask = async () => {
    const body = { question: 'May I?', secret }
    const asked = await asToken('POST', '/confirmations', body, agentToken)
    expect(asked.status, JSON.stringify(asked.body)).to.equal(201)
    return String(asked.body.id)
  }
  const setPolicy = (agents_ask: boolean) => ada.browser.send('PUT', `${ORG}/secret-policy`, { body: { agents_ask } })
  const answer = { answer: 'confirmed' }
  const expectReAuth = (reply: Reply) => expectProblem(reply, 403, 're_auth_required')

  it('is not revealed, neither to its human’s nor to that as an agent [risk transact-token]', async () => {
    expectReAuth(await reveal())
    expect((await setPolicy(false)).status).to.equal(200)
    expectReAuth(await reveal(token, { 'market-agent': agentUrn }))
    expect((await setPolicy(true)).status).to.equal(200)
    const entries = await api.db
      .selectFrom('market.audit_log')
      .select('id')
      .where('action', '=', 'secret.revealed')
      .execute()
    expect(entries).to.have.length(0)
  })

  it('is not let to an agent: a question is answered in a session', async () => {
    const id = await ask()
    expectReAuth(await asToken('POST', `/confirmations/${id}/answer`, answer))
    const { body } = await asToken('GET', `/confirmations/${id}`, undefined, agentToken)
    expect(body.state).to.equal('pending')
    await grow(api, MINUTES)
    const answered = await ada.browser.send('POST', `${ORG}/confirmations/${id}/answer`, { body: answer })
    expect(answered.status, JSON.stringify(answered.body)).to.equal(200)
    const { status, body: revealed } = await reveal(agentToken, {}, { confirmation: id })
    expect([status, revealed.value]).to.deep.equal([200, 'correct horse'])
  })

  it('has a policy that only a fresh passkey changes [risk manage-token]', async () => {
    // Of any human with the scope manage: its own org is not looked at before.
    expectReAuth(await asToken('PUT', '/secret-policy', { agents_ask: false }, api.first.human_token))
    expectReAuth(await setPolicy(false))
  })

  it('is revealed in a session while its passkey is fresh', async () => {
    const inSession = () => ada.browser.send('POST', `${ORG}/secrets/${secret}/reveal`, { body: {} })
    expectReAuth(await inSession())
    const { passkey, browser } = ada
    expect((await browser.verify('assertion', passkey.get(await browser.options('assertion')))).status).to.equal(200)
    const { status, body } = await inSession()
    expect([status, body.value]).to.deep.equal([200, 'correct horse'])
  })

  it('is named, replaced and deleted by it, which the audit log says', async () => {
    const { body } = await asToken('GET', `/secrets/${secret}`, undefined)
    expect(body.name).to.equal('press-key')
    expect((await asToken('PUT', `/secrets/${secret}/value`, { value: 'other' })).status).to.equal(200)
    expect((await asToken('DELETE', `/secrets/${secret}`, undefined)).status).to.equal(204)
    const entries = await api.db
      .selectFrom('market.audit_log')
      .select('action')
      .where('action', 'in', ['secret.replace', 'secret.delete'])
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).to.deep.equal(['secret.replace', 'secret.delete'])
  })
})
