import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { purge } from '../../../../api/purge.ts'
import { parseUrn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { Guise } from '../../../kit/api/identity/passkeys/authenticator.ts'
import {
  authenticatorFor,
  type CeremonyOptions,
  newBrowser,
  signIn,
  signUp,
} from '../../../kit/api/identity/passkeys/browser.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

const ELSEWHERE = 'https://evil.example'

// Outside a sandbox: there a passkey is the only way to be let in, and some acts want it fresh.
describe('with passkeys', () => {
  let api: Api
  before(async () => {
    api = await startApi({ sandbox: false })
  })
  after(() => api.stop())

  const humans = async () => (await api.db.selectFrom('market.humans').select('id').execute()).length

  it('a human signs up, is signed in, and comes back [spec 2.2:2 4:51 5:6]', async () => {
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
    const id = parseUrn('human', urn) ?? ''
    const accounts = await api.db.selectFrom('ledger.accounts').select('kind').where('owner_id', '=', id).execute()
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

  for (const counts of [true, false]) {
    it(`an answer is good once, however often it is sent, and at once, by one that ${counts ? 'counts' : 'does not count'}`, async () => {
      const { passkey } = await signUp(api, authenticatorFor(api, { counts }))
      const browser = newBrowser(api)
      const credential = passkey.get(await browser.options('assertion'))
      const field = 'credential.response.clientDataJSON'
      const verify = () => newBrowser(api).verify('assertion', credential)
      const replies = await Promise.all(Array.from({ length: 5 }, verify))
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409])
      for (const reply of replies.filter(({ status }) => status === 409))
        expectProblem(reply, 409, 'passkeys/challenge-invalid', field)
      expectProblem(await browser.verify('assertion', credential), 409, 'passkeys/challenge-invalid', field)
      expect((await signIn(browser, passkey)).status).to.equal(200)
    })
  }

  it('the second of two answers learns that the challenge is gone before anything is read of the passkey', async () => {
    const { browser, passkey } = await signUp(api)
    const credential = passkey.get(await browser.options('assertion'))
    // While this lasts, nobody reads a passkey or its counter.
    const [early, late] = await api.db.transaction().execute(async (tx) => {
      await sql`lock table market.passkeys in access exclusive mode`.execute(tx)
      const sent = [0, 1].map(() => newBrowser(api).verify('assertion', credential))
      const bothWait = untilWaitingForLocks(api.db, 2).then(() => undefined)
      return [await Promise.race([...sent, bothWait]), Promise.all(sent)] as const
    })
    expect(early, 'one is answered at once').not.to.equal(undefined)
    expect((await late).map(({ status }) => status).sort()).to.deep.equal([200, 409])
    expect((await signIn(browser, passkey)).status).to.equal(200)
  })

  it('one that says nothing of whose it is, as some browsers put it, signs in', async () => {
    const { browser, passkey } = await signUp(api)
    const reply = await browser.verify('assertion', passkey.get(await browser.options('assertion'), { userHandle: '' }))
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200)
  })

  it('a new one is taken once, however often it is sent, and at once', async () => {
    const browser = newBrowser(api)
    const made = authenticatorFor(api).create(
      await browser.options('sign_up', { display_name: 'Ada', email: 'ada@example.com' }),
    )
    const replies = await Promise.all(Array.from({ length: 5 }, () => newBrowser(api).verify('sign_up', made)))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409, 409])
    const ada = await signUp(api)
    const further = authenticatorFor(api).create(await ada.browser.options('registration'))
    const added = await Promise.all(Array.from({ length: 5 }, () => ada.browser.verify('registration', further)))
    expect(added.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409, 409])
    for (const reply of [...replies, ...added].filter(({ status }) => status === 409))
      expectProblem(reply, 409, 'passkeys/challenge-invalid', 'credential.response.clientDataJSON')
  })

  it('a challenge answers once, also to an answer that was refused [risk API2]', async () => {
    const { browser, passkey } = await signUp(api)
    const options = await browser.options('assertion')
    const forged = passkey.get(options, { origin: ELSEWHERE })
    expectProblem(await browser.verify('assertion', forged), 401, 'passkeys/assertion-refused', 'credential')
    expectProblem(
      await browser.verify('assertion', passkey.get(options)),
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
    // Of an answer that nothing would accept, an expired challenge is what its sender is told.
    const good = authenticatorFor(api).create(await ada.browser.options('registration')) as { response: object }
    const garbled = { ...good, response: { ...good.response, attestationObject: 'AAAA' } }
    expectProblem(await ada.browser.verify('registration', garbled), 422, 'passkeys/registration-refused', 'credential')
    const expire = () =>
      sql`update market.passkey_challenges set expires_at = expires_at - interval '5 minutes'`.execute(api.db)
    await expire()
    expectProblem(await ada.browser.verify('registration', garbled), 409, 'passkeys/challenge-invalid', field)
    // It expires after the answer was checked, while the human is locked.
    const waiting = authenticatorFor(api).create(await ada.browser.options('registration'))
    const { reply } = await api.db.transaction().execute(async (tx) => {
      await tx.selectFrom('market.humans').select('id').where('id', '=', ada.id).forUpdate().execute()
      const sent = ada.browser.verify('registration', waiting)
      await untilWaitingForLocks(api.db, 1)
      await expire()
      return { reply: sent }
    })
    expectProblem(await reply, 409, 'passkeys/challenge-invalid', field)
    const invented = ada.passkey.get({ challenge: Buffer.alloc(32).toString('base64url') })
    expectProblem(await ada.browser.verify('assertion', invented), 409, 'passkeys/challenge-invalid', field)
  })

  it('one whose counter goes back lets nobody in any more, and its sessions are over [risk API2]', async () => {
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
    // Both at once: one stays. Each is let in before the other's removal ends the session.
    const ids = (await listed()).map(({ urn }) => urn.body)
    const sent = await api.db.transaction().execute(async (tx) => {
      await tx.selectFrom('market.humans').select('id').where('id', '=', ada.id).forUpdate().execute()
      const removals = ids.map((id) => ada.browser.send('DELETE', path(id)))
      await untilWaitingForLocks(api.db, removals.length)
      return removals
    })
    const removals = await Promise.all(sent)
    expect(removals.map(({ status }) => status).sort()).to.deep.equal([204, 409])
    const last = removals.find(({ status }) => status === 409)
    if (!last) throw new Error('none was refused')
    expectProblem(last, 409, 'passkeys/last-one')
  })

  it('the last that lets somebody in stays, whatever others are there that let nobody in', async () => {
    const ada = await signUp(api)
    const spare = authenticatorFor(api)
    const added = await ada.browser.verify('registration', spare.create(await ada.browser.options('registration')))
    const flagged = added.body.urn.body
    await api.db.updateTable('market.passkeys').set({ flagged_at: new Date() }).where('id', '=', flagged).execute()
    const { body } = await ada.browser.send('GET', '/v1/me/passkeys')
    const good = (body.passkeys as (typeof added.body)[]).map(({ urn }) => urn.body).find((id) => id !== flagged)
    const remove = (id = '') => ada.browser.send('DELETE', `/v1/me/passkeys/${urnString('passkey', id)}`)
    expectProblem(await remove(good), 409, 'passkeys/last-one')
    expect((await remove(flagged)).status).to.equal(204)
  })

  it('what has run out is forgotten, and what has not is not', async () => {
    const { browser } = await signUp(api)
    const kept = await browser.options('assertion')
    const late = await browser.options('assertion')
    const challenge = (options: CeremonyOptions) => Buffer.from(options.challenge, 'base64url')
    await sql`update market.passkey_challenges set expires_at = market.now()
      where challenge <> ${challenge(kept)}`.execute(api.db)
    const failed: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => failed.push(line) })
    await purge({ db: api.serviceDb, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings, log })
    expect(failed).to.deep.equal([])
    const left = await api.db.selectFrom('market.passkey_challenges').select('challenge').execute()
    expect(left.map((row) => row.challenge)).to.deep.equal([challenge(kept)])
    expect(challenge(late)).not.to.deep.equal(challenge(kept))
    expect((await browser.send('GET', '/v1/me')).status).to.equal(200)
  })
})
