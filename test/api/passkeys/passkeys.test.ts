import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openRpc } from '../../../api/chain/client.ts'
import { webSettings } from '../../../api/config/web.ts'
import { sessionCookie, sessionSecretIn } from '../../../api/http/credential.ts'
import { forgetCredentials } from '../../../api/jobs/forgetCredentials.ts'
import { urnString } from '../../../protocol/urn.ts'
import { type Api, expectProblem, startApi } from '../http/api.ts'
import type { Guise } from './authenticator.ts'
import { authenticatorFor, type CeremonyOptions, newBrowser, signIn, signUp } from './browser.ts'

const ELSEWHERE = 'https://evil.example'

// Outside a sandbox: there a passkey is the only way to be let in, and some acts want it fresh.
describe('with passkeys', () => {
  let api: Api
  before(async () => {
    api = await startApi({ sandbox: false })
  })
  after(() => api.stop())

  const humans = async () => (await api.db.selectFrom('market.humans').select('id').execute()).length

  it('a human signs up, is signed in, and comes back', async () => {
    const ada = await signUp(api)
    const me = await ada.browser.send('GET', '/v1/me')
    expect(me.body).to.deep.include({
      urn: { prefix: 'human', body: ada.id },
      token_urn: null,
      scopes: ['read', 'transact', 'withdraw', 'manage'],
    })
    const elsewhere = newBrowser(api)
    expectProblem(await elsewhere.send('GET', '/v1/me'), 401, 'auth/unauthenticated')
    const back = await signIn(elsewhere, ada.passkey)
    expect(back.status).to.equal(200)
    expect(back.body.human_urn).to.deep.equal({ prefix: 'human', body: ada.id })
    expect((await elsewhere.send('GET', '/v1/me')).status).to.equal(200)
  })

  it('a human has the ledger account that what they are owed will stand on', async () => {
    const { urn } = await signUp(api)
    const accounts = await api.db.selectFrom('ledger.accounts').select('kind').where('owner', '=', urn).execute()
    expect(accounts).to.deep.equal([{ kind: 'payable' }])
  })

  it('one that does not count its signatures is as good as one that does', async () => {
    const ada = await signUp(api, authenticatorFor(api, { counts: false }))
    for (let time = 0; time < 2; time++) expect((await signIn(ada.browser, ada.passkey)).status).to.equal(200)
  })

  const lies: [string, Partial<Guise>][] = [
    ['on another site', { origin: ELSEWHERE }],
    ['on a page whose name begins like ours', { origin: 'http://localhost.evil.example' }],
    ['on another port', { origin: 'http://localhost:81' }],
    ['for another domain', { rpId: 'evil.example' }],
    ['without asking who uses it', { isUserVerified: false }],
    ['in a frame of another site', { crossOrigin: true }],
  ]
  for (const [name, lie] of lies) {
    it(`made ${name}, nobody signs up`, async () => {
      const [browser, before] = [newBrowser(api), await humans()]
      const options = await browser.options('sign_up', { display_name: 'Eve', email: 'eve@example.com' })
      const reply = await browser.verify('sign_up', authenticatorFor(api).create(options, lie))
      expectProblem(reply, 422, 'passkeys/registration-refused', 'credential')
      expect(await humans()).to.equal(before)
      expect(browser.cookie()).to.equal(undefined)
    })

    it(`used ${name}, nobody signs in`, async () => {
      const { passkey } = await signUp(api)
      const browser = newBrowser(api)
      const reply = await browser.verify('assertion', passkey.get(await browser.options('assertion'), lie))
      expectProblem(reply, 401, 'passkeys/assertion-refused', 'credential')
      expect(browser.cookie()).to.equal(undefined)
    })
  }

  it('a certificate that would have us ask its address is not looked at', async () => {
    const browser = newBrowser(api)
    const attStmt = new Map([
      ['alg', -7],
      ['sig', Buffer.alloc(70)],
      ['x5c', [Buffer.alloc(300)]],
    ] as [string, number | Buffer | Buffer[]][])
    const options = await browser.options('sign_up', { display_name: 'Eve', email: 'eve@example.com' })
    const credential = authenticatorFor(api).create(options, { attestation: { fmt: 'packed', attStmt } })
    const reply = await browser.verify('sign_up', credential)
    expectProblem(reply, 422, 'passkeys/registration-refused', 'credential')
    expect(reply.body.detail).to.include('not asked for')
  })

  it('an answer is good once, however often it is sent, and at once', async () => {
    const { passkey } = await signUp(api, authenticatorFor(api, { counts: false }))
    const browser = newBrowser(api)
    const credential = passkey.get(await browser.options('assertion'))
    const replies = await Promise.all(Array.from({ length: 5 }, () => newBrowser(api).verify('assertion', credential)))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409])
    expectProblem(
      await browser.verify('assertion', credential),
      409,
      'passkeys/challenge-invalid',
      'credential.response.clientDataJSON',
    )
  })

  it('a challenge is good for five minutes, for what it was given for, and to whom', async () => {
    const ada = await signUp(api)
    const field = 'credential.response.clientDataJSON'
    const late = ada.passkey.get(await ada.browser.options('assertion'))
    await sql`update market.passkey_challenges set expires_at = expires_at - interval '5 minutes'`.execute(api.db)
    expectProblem(await ada.browser.verify('assertion', late), 409, 'passkeys/challenge-invalid', field)
    const forAnother = ada.passkey.get(await ada.browser.options('registration'))
    expectProblem(await ada.browser.verify('assertion', forAnother), 409, 'passkeys/challenge-invalid', field)
    const made = authenticatorFor(api).create(await ada.browser.options('registration'))
    const eve = await signUp(api)
    expectProblem(await eve.browser.verify('registration', made), 409, 'passkeys/challenge-invalid', field)
    const invented = ada.passkey.get({ challenge: Buffer.alloc(32).toString('base64url') })
    expectProblem(await ada.browser.verify('assertion', invented), 409, 'passkeys/challenge-invalid', field)
  })

  it('one whose counter goes back lets nobody in any more, and its sessions are over', async () => {
    const { browser, passkey } = await signUp(api)
    const counter = 5
    expect(
      (await browser.verify('assertion', passkey.get(await browser.options('assertion'), { counter }))).status,
    ).to.equal(200)
    const copy = newBrowser(api)
    for (const counter of [5, 6]) {
      const reply = await copy.verify('assertion', passkey.get(await copy.options('assertion'), { counter }))
      expectProblem(reply, 401, 'passkeys/assertion-refused', 'credential')
    }
    expectProblem(await browser.send('GET', '/v1/me'), 401, 'auth/unauthenticated')
    const entry = api.db.selectFrom('market.audit_log').select('id').where('action', '=', 'passkey.flag')
    expect(await entry.execute()).to.have.length(1)
  })

  it('nobody gets in by the name of somebody else’s, or as somebody else', async () => {
    const [ada, eve] = [await signUp(api), await signUp(api)]
    const browser = newBrowser(api)
    const named = { id: ada.passkey.credentialId, rawId: ada.passkey.credentialId }
    const forged = { ...eve.passkey.get(await browser.options('assertion')), ...named }
    expectProblem(await browser.verify('assertion', forged), 401, 'passkeys/assertion-refused', 'credential')
    const userHandle = Buffer.from(ada.id.replaceAll('-', ''), 'hex').toString('base64url')
    const asAda = eve.passkey.get(await browser.options('assertion'), { userHandle })
    expectProblem(await browser.verify('assertion', asAda), 401, 'passkeys/assertion-refused', 'credential')
    const unknown = authenticatorFor(api).get(await browser.options('assertion'), { userHandle })
    expectProblem(await browser.verify('assertion', unknown), 401, 'passkeys/assertion-refused', 'credential')
    const again = ada.passkey.create(await eve.browser.options('registration'))
    expectProblem(await eve.browser.verify('registration', again), 409, 'passkeys/already-registered', 'credential.id')
  })

  it('somebody has several, with names, and removes all but the last', async () => {
    const ada = await signUp(api)
    const spare = authenticatorFor(api)
    const added = await ada.browser.verify('registration', spare.create(await ada.browser.options('registration')))
    expect(added.status).to.equal(201)
    const path = (id: string) => `/v1/me/passkeys/${urnString('passkey', id)}`
    const body = { name: 'Key in the safe' }
    expect((await ada.browser.send('PATCH', path(added.body.urn.body), { body })).body).to.include(body)
    const listed = async () => (await ada.browser.send('GET', '/v1/me/passkeys')).body.passkeys as (typeof added.body)[]
    const [first, second] = await listed()
    expect([first?.name, second?.name]).to.deep.equal(['Key in the safe', 'Passkey'])
    const eve = await signUp(api)
    expectProblem(await eve.browser.send('DELETE', path(added.body.urn.body)), 404, 'resource/not-found')
    expectProblem(await eve.browser.send('PATCH', path(added.body.urn.body), { body }), 404, 'resource/not-found')
    // Both at once: one stays.
    const ids = (await listed()).map(({ urn }) => urn.body)
    const removals = await Promise.all(ids.map((id) => ada.browser.send('DELETE', path(id))))
    expect(removals.map(({ status }) => status).sort()).to.deep.equal([204, 409])
    const last = removals.find(({ status }) => status === 409)
    if (!last) throw new Error('none was refused')
    expectProblem(last, 409, 'passkeys/last-one')
  })

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

  it('what has run out is forgotten, and what has not is not', async () => {
    const { browser } = await signUp(api)
    const kept = await browser.options('assertion')
    const late = await browser.options('assertion')
    const challenge = (options: CeremonyOptions) => Buffer.from(options.challenge, 'base64url')
    await sql`update market.passkey_challenges set expires_at = market.now()
      where challenge <> ${challenge(kept)}`.execute(api.db)
    const log = pino({ level: 'silent' })
    await forgetCredentials({ db: api.db, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings, log })
    const left = await api.db.selectFrom('market.passkey_challenges').select('challenge').execute()
    expect(left.map((row) => row.challenge)).to.deep.equal([challenge(kept)])
    expect(challenge(late)).not.to.deep.equal(challenge(kept))
    expect((await browser.send('GET', '/v1/me')).status).to.equal(200)
  })

  it('an agent’s ticket for withdraw or manage takes a fresh session', async () => {
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

  it('another wallet is chosen to be paid to in a fresh session, and by no token', async () => {
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

  describe('a session', () => {
    it('is a cookie that scripts and other sites do not get, and is kept as its hash', async () => {
      const { browser, passkey } = await signUp(api)
      const reply = await signIn(browser, passkey)
      const [pair = '', ...attributes] = (reply.headers.get('set-cookie') ?? '').split('; ')
      expect(pair).to.match(/^market_session=[A-Za-z0-9_-]{43}$/)
      expect(attributes).to.have.members(['Path=/', 'HttpOnly', 'SameSite=Strict', 'Max-Age=604800'])
      expect(JSON.stringify(reply.body)).not.to.include(pair.slice('market_session='.length))
      const rows = await api.db.selectFrom('market.sessions').selectAll().execute()
      const kept = JSON.stringify(rows.map((row) => ({ ...row, secret_hash: row.secret_hash.toString('latin1') })))
      expect(kept).not.to.include(pair.slice('market_session='.length))
    })

    it('off loopback travels encrypted alone, under a name that no other page of the domain can plant', async () => {
      const web = webSettings('https://market.example')
      expect(web).to.deep.equal({ rpId: 'market.example', origins: ['https://market.example'], isSecure: true })
      const cookie = sessionCookie(web, { secret: 'A'.repeat(43), seconds: 60 })
      expect(cookie).to.match(/^__Host-market_session=A{43}; Path=\/; .*; Secure$/)
      expect(sessionSecretIn(web, `market_session=${'A'.repeat(43)}`)).to.equal(undefined)
      expect(sessionSecretIn(web, `a=b; __Host-market_session=${'A'.repeat(43)}`)).to.equal('A'.repeat(43))
    })

    it('writes for our own pages alone', async () => {
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
      const twice = `${browser.cookie()}; market_session=${'A'.repeat(43)}`
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
      await sql`update market.sessions set seen_at = seen_at - interval '11 hours' where human_id = ${id}`.execute(
        api.db,
      )
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
      const { body } = await desk.send('GET', '/v1/me/sessions')
      const sessions = body.sessions as { urn: { body: string }; is_current: boolean }[]
      expect(sessions.map(({ is_current }) => is_current)).to.deep.equal([false, true])
      const path = `/v1/me/sessions/${urnString('session', sessions[0]?.urn.body ?? '')}/revoke`
      const stranger = await signUp(api)
      expectProblem(await stranger.browser.send('POST', path), 404, 'resource/not-found')
      expect((await desk.send('POST', path)).status).to.equal(204)
      expectProblem(await phone.send('GET', '/v1/me'), 401, 'auth/unauthenticated')
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
})

/** Lets sessions grow older by so much. */
async function grow(api: Api, by: string): Promise<void> {
  await sql`update market.sessions set created_at = created_at - ${by}::interval`.execute(api.db)
}
