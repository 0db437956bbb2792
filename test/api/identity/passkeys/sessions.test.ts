import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { webSettings } from '../../../../api/config/web.ts'
import { sessionCookie, sessionSecretIn } from '../../../../api/identity/authentication/credential.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { grow, newBrowser, signIn, signUp } from '../../../kit/api/identity/passkeys/browser.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

const ELSEWHERE = 'https://evil.example'

describe('a session', () => {
  let api: Api
  before(async () => {
    api = await startApi({ sandbox: false })
  })
  after(() => api.stop())

  it('is a cookie that scripts and other sites do not get, and is kept as its hash [spec 5:6] [risk API2]', async () => {
    const { browser, passkey } = await signUp(api)
    const reply = await signIn(browser, passkey)
    const [pair = '', ...attributes] = (reply.headers.get('set-cookie') ?? '').split('; ')
    expect(pair).to.match(/^market_session_80=[A-Za-z0-9_-]{43}$/)
    expect(attributes).to.have.members(['Path=/', 'HttpOnly', 'SameSite=Strict', 'Max-Age=604800'])
    expect(JSON.stringify(reply.body)).not.to.include(pair.slice('market_session_80='.length))
    const rows = await api.db.selectFrom('market.sessions').selectAll().execute()
    const kept = JSON.stringify(rows.map((row) => ({ ...row, secret_hash: row.secret_hash.toString('latin1') })))
    expect(kept).not.to.include(pair.slice('market_session_80='.length))
  })

  it('off loopback travels encrypted alone, under a name that no other page of the domain can plant [risk API8]', async () => {
    const web = webSettings('https://market.example')
    expect(web).to.deep.include({ rpId: 'market.example', origins: ['https://market.example'], isSecure: true })
    const cookie = sessionCookie(web, { secret: 'A'.repeat(43), seconds: 60 })
    expect(cookie).to.match(/^__Host-market_session=A{43}; Path=\/; .*; Secure$/)
    expect(sessionSecretIn(web, `market_session=${'A'.repeat(43)}`)).to.equal(undefined)
    expect(sessionSecretIn(web, `a=b; __Host-market_session=${'A'.repeat(43)}`)).to.equal('A'.repeat(43))
  })

  it('writes for our own pages alone [risk session-cookie]', async () => {
    const { browser } = await signUp(api)
    const path = '/v1/me/passkeys/registration/options'
    for (const origin of [undefined, ELSEWHERE, 'null', 'http://localhost.evil.example', 'http://localhost:81']) {
      const reply = await browser.send('POST', path, { headers: { origin } })
      expectProblem(reply, 403, 'auth/origin-refused', 'Origin')
    }
    expect((await browser.send('POST', path)).status).to.equal(200)
    expect((await browser.send('GET', '/v1/me', { headers: { origin: undefined } })).status).to.equal(200)
  })

  it('is not begun by another site, which would have somebody act as its own account', async () => {
    const { passkey } = await signUp(api)
    const browser = newBrowser(api)
    const body = { credential: passkey.get(await browser.options('assertion')) }
    const path = '/v1/me/passkeys/assertion/verify'
    const reply = await browser.send('POST', path, { body, headers: { origin: ELSEWHERE } })
    expectProblem(reply, 403, 'auth/origin-refused', 'Origin')
    expect(browser.cookie()).to.equal(undefined)
  })

  it('begins under a secret that nobody knew, and ends the one that was there', async () => {
    const [ada, eve] = [await signUp(api), await signUp(api)]
    const planted = eve.browser.cookie()
    ada.browser.setCookie(planted)
    await signIn(ada.browser, ada.passkey)
    expect(ada.browser.cookie()).to.be.a('string').that.does.not.equal(planted)
    expectProblem(await eve.browser.send('GET', '/v1/me'), 401, 'auth/unauthenticated')
    expect((await ada.browser.send('GET', '/v1/me')).body.urn).to.deep.equal({ prefix: 'human', body: ada.id })
  })

  it('is none where a second cookie of its name is sent, or a token that is bad', async () => {
    const { browser } = await signUp(api)
    const twice = `${browser.cookie()}; market_session_80=${'A'.repeat(43)}`
    expectProblem(await browser.send('GET', '/v1/me', { headers: { cookie: twice } }), 401, 'auth/unauthenticated')
    const token = `market_pat_${'A'.repeat(43)}`
    expectProblem(await browser.send('GET', '/v1/me', { token }), 401, 'auth/unauthenticated')
  })

  it('ends after seven days, and after twelve hours that nobody uses it', async () => {
    for (const change of [sql`expires_at = market.now()`, sql`seen_at = market.now() - interval '12 hours'`]) {
      const { browser, id } = await signUp(api)
      expect((await browser.send('GET', '/v1/me')).status).to.equal(200)
      await sql`update market.sessions set ${change} where human_id = ${id}`.execute(api.db)
      expectProblem(await browser.send('GET', '/v1/me'), 401, 'auth/unauthenticated')
    }
  })

  it('that is used stays', async () => {
    const { browser, id } = await signUp(api)
    await sql`update market.sessions set seen_at = seen_at - interval '11 hours' where human_id = ${id}`.execute(api.db)
    await browser.send('GET', '/v1/me')
    const { rows } = await sql<{
      is_recent: boolean
    }>`select seen_at > market.now() - interval '1 minute' as is_recent
      from market.sessions where human_id = ${id}`.execute(api.db)
    expect(rows).to.deep.equal([{ is_recent: true }])
  })

  it('is listed to whose it is, revoked from another, and logged out of', async () => {
    const { browser: desk, passkey } = await signUp(api)
    const phone = newBrowser(api)
    await signIn(phone, passkey)
    const listed = async () =>
      (await desk.send('GET', '/v1/me/sessions')).body.sessions as { urn: { body: string }; is_current: boolean }[]
    const sessions = await listed()
    expect(sessions.map(({ is_current }) => is_current)).to.deep.equal([false, true])
    const path = `/v1/me/sessions/${urnString('session', sessions[0]?.urn.body ?? '')}/revoke`
    const stranger = await signUp(api)
    expectProblem(await stranger.browser.send('POST', path), 404, 'resource/not-found')
    expect((await desk.send('POST', path)).status).to.equal(204)
    expectProblem(await phone.send('GET', '/v1/me'), 401, 'auth/unauthenticated')
    for (const change of [sql`expires_at = market.now()`, sql`seen_at = market.now() - interval '12 hours'`]) {
      await signIn(newBrowser(api), passkey)
      const [newest, ...others] = await listed()
      await sql`update market.sessions set ${change} where id = ${newest?.urn.body}`.execute(api.db)
      expect(await listed()).to.deep.equal(others)
    }
    expect((await listed()).map(({ is_current }) => is_current)).to.deep.equal([true])
    const cookie = desk.cookie()
    expect((await desk.send('POST', '/v1/me/sessions/log_out')).status).to.equal(204)
    expect(desk.cookie()).to.equal(undefined)
    desk.setCookie(cookie)
    expectProblem(await desk.send('GET', '/v1/me'), 401, 'auth/unauthenticated')
  })

  it('grants withdraw and manage while its passkey is fresh, and no token does', async () => {
    const { browser, urn: owner_urn } = await signUp(api)
    const body = { owner_urn, scopes: ['read', 'withdraw', 'manage'] }
    const granted = await browser.send('POST', '/v1/me/tokens', { body })
    expect(granted.status).to.equal(201)
    const token = granted.body.secret
    const byToken = await api.send('POST', '/v1/me/tokens', { token, body })
    expectProblem(byToken, 403, 're_auth_required', 'scopes')
    await grow(api, '5 minutes')
    expectProblem(await browser.send('POST', '/v1/me/tokens', { body }), 403, 're_auth_required', 'scopes')
    const plain = { owner_urn, scopes: ['read'] }
    expect((await browser.send('POST', '/v1/me/tokens', { body: plain })).status).to.equal(201)
  })

  it('trades as an agent of its human’s, and as no other', async () => {
    const [ada, eve] = [await signUp(api), await signUp(api)]
    const agent = await ada.browser.send('POST', '/v1/accounts/agents', {
      body: { owner_urn: ada.urn, display_name: 'Scout' },
    })
    const headers = { 'market-agent': urnString('agent', agent.body.urn.body) }
    const body = { title: 'Work', description: 'Done well.', price: '20.000000' }
    const offered = await ada.browser.send('POST', '/v1/asks', { body, headers })
    expect(offered.body.seller_urn).to.deep.equal(agent.body.urn)
    const foreign = await eve.browser.send('POST', '/v1/asks', { body, headers })
    expectProblem(foreign, 403, 'auth/forbidden', 'Market-Agent')
  })

  it('has an answer repeated to it, a secret one too, and to nobody else', async () => {
    const { browser, passkey, urn: owner_urn } = await signUp(api)
    const request = { body: { owner_urn, scopes: ['read'] }, headers: { 'idempotency-key': 'once' } }
    const first = await browser.send('POST', '/v1/me/tokens', request)
    const again = await browser.send('POST', '/v1/me/tokens', request)
    expect([again.status, again.body]).to.deep.equal([201, first.body])
    await signIn(browser, passkey)
    const later = await browser.send('POST', '/v1/me/tokens', request)
    expectProblem(later, 409, 'idempotency/other-token', 'Idempotency-Key')
  })
})
