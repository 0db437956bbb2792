import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { parseUrn, urnString } from '../../../../protocol/encoding/urn.ts'
import { authenticatorFor, grow, newBrowser, signIn, signUp } from '../../../kit/api/identity/passkeys/browser.ts'
import { type Api, expectProblem, type Reply, startApi } from '../../../kit/api/platform/http/api.ts'

describe('what wants a fresh passkey', () => {
  let api: Api
  before(async () => {
    api = await startApi({ sandbox: false })
  })
  after(() => api.stop())

  it('the first is added with a token, and a further one takes a fresh session', async () => {
    const { human_token: token } = api.first
    const offer = () => api.send('POST', '/v1/me/passkeys/registration/options', { token })
    const { body: options } = await offer()
    const passkey = authenticatorFor(api)
    const credential = passkey.create(options as never)
    const added = await api.send('POST', '/v1/me/passkeys/registration/verify', { token, body: { credential } })
    expect(added.status).to.equal(201)
    expectProblem(await offer(), 403, 're_auth_required')
    const browser = newBrowser(api)
    expect((await signIn(browser, passkey)).status).to.equal(200)
    await browser.options('registration')
    await grow(api, '5 minutes')
    expectProblem(await browser.send('POST', '/v1/me/passkeys/registration/options'), 403, 're_auth_required')
  })

  it('an agent’s ticket for withdraw or manage takes a fresh session [risk manage-token]', async () => {
    const ada = await signUp(api)
    const body = { owner_urn: ada.urn, display_name: 'Scout' }
    const agent = await ada.browser.send('POST', '/v1/accounts/agents', { body })
    const path = `/v1/me/agents/${urnString('agent', agent.body.urn.body)}/tickets`
    const ticket = (scopes: string[]) => ada.browser.send('POST', path, { body: { scopes } })
    expect((await ticket(['read', 'withdraw'])).status).to.equal(201)
    await grow(api, '5 minutes')
    expectProblem(await ticket(['read', 'withdraw']), 403, 're_auth_required', 'scopes')
    const { body: plain } = await ticket(['read'])
    const exchanged = await api.send('POST', '/v1/tickets/exchange', { body: { ticket: plain.ticket } })
    expect(exchanged.body).to.deep.include({ scopes: ['read'], expires_at: null })
  })

  it('another wallet is chosen to be paid to in a fresh session, and by no token [risk withdraw-token]', async () => {
    const ada = await signUp(api)
    const { body } = await ada.browser.send('POST', '/v1/me/tokens', {
      body: { owner_urn: ada.urn, scopes: ['read', 'withdraw'] },
    })
    const path = '/v1/me/wallets/market:wallet:01890000-0000-7000-8000-000000000000/payout'
    expectProblem(await api.send('POST', path, { token: body.secret }), 403, 're_auth_required')
    expectProblem(await ada.browser.send('POST', path), 404, 'resource/not-found')
    await grow(api, '5 minutes')
    expectProblem(await ada.browser.send('POST', path), 403, 're_auth_required')
  })

  it('an operator’s look at people takes a fresh session, and no token [risk operator-token]', async () => {
    const ada = await signUp(api)
    const look = async (send: (path: string, body?: object) => Promise<Reply>) => [
      await send('/v1/operator/search', { q: 'ada' }),
      await send(`/v1/operator/humans/${ada.urn}/record`),
    ]
    const byToken = (path: string, body?: object) =>
      api.send('POST', path, { token: api.first.operator_token, ...(body ? { body } : {}) })
    const bySession = (path: string, body?: object) => ada.browser.send('POST', path, body ? { body } : {})
    for (const reply of await look(byToken)) expectProblem(reply, 403, 're_auth_required')
    for (const reply of await look(bySession)) expectProblem(reply, 403, 'auth/forbidden')
    await api.db
      .updateTable('market.humans')
      .set({ role: 'operator' })
      .where('id', '=', parseUrn('human', ada.urn) ?? '')
      .execute()
    for (const reply of await look(bySession)) expect(reply.status).to.equal(200)
    await grow(api, '5 minutes')
    for (const reply of await look(bySession)) expectProblem(reply, 403, 're_auth_required')
  })
})
