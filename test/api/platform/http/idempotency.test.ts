import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { pino } from 'pino'
import { CURRENT_VERSION } from '../../../../api/platform/http/route/versions.ts'
import { bindKey } from '../../../../api/platform/http/serve/idempotency.ts'
import { purge } from '../../../../api/purge.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { newBrowser, signUp } from '../../../kit/api/identity/passkeys/browser.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'
import { newTrader, type Trader } from '../../../kit/api/trading.ts'

const PARALLEL = 50

describe('a write with an Idempotency-Key', () => {
  let api: Api
  let seller: Trader
  let other: Trader
  before(async () => {
    api = await startApi()
    seller = await newTrader({ api }, { wallet: 'unbound', scopes: ['read', 'transact'] })
    other = await newTrader({ api }, { wallet: 'unbound', scopes: ['read', 'transact'] })
  })
  after(() => api.stop())

  const ask = { title: 'Verse', description: 'Forty-two lines.', price: '20.000000' }
  const keyed = (key: string) => ({ 'Idempotency-Key': key })
  const create = (key: string, body: unknown = ask, token = seller.token) =>
    api.send('POST', '/v1/asks', { token, body, headers: keyed(key) })
  const asks = async () => {
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from market.asks`.execute(api.db)
    return rows[0]?.count ?? 0n
  }
  const mint = (key: string, token: string) =>
    api.send('POST', '/v1/me/tokens', {
      token,
      body: { owner_urn: urnString('agent', seller.agentId), scopes: ['read'] },
      headers: keyed(key),
    })
  /** As a day later. */
  const age = () => sql`update market.idempotent_answers set created_at = created_at - interval '1 day'`.execute(api.db)

  it('has one effect however often it is sent, and is answered alike [spec 8:12]', async () => {
    const before = await asks()
    const first = await create('again')
    const second = await create('again')
    expect(first.status).to.equal(201)
    expect({ status: second.status, body: second.body }).to.deep.equal({ status: 201, body: first.body })
    expect(first.headers.has('idempotent-replayed')).to.equal(false)
    expect(second.headers.get('idempotent-replayed')).to.equal('true')
    expect(second.headers.get('content-type')).to.equal(first.headers.get('content-type'))
    expect(await asks()).to.equal(before + 1n)
  })

  it('takes a key in quotes for the same key', async () => {
    const first = await create('quoted')
    expect((await create('"quoted"')).body).to.deep.equal(first.body)
  })

  it('has one effect when it is sent many times at once', async () => {
    const before = await asks()
    const sent = await Promise.all(Array.from({ length: PARALLEL }, () => create('at-once')))
    expect(await asks()).to.equal(before + 1n)
    const { body } = await create('at-once')
    for (const reply of sent) {
      if (reply.status === 201) expect(reply.body).to.deep.equal(body)
      else {
        expectProblem(reply, 409, 'idempotency/in-flight', 'Idempotency-Key')
        expect(reply.headers.get('retry-after')).to.equal('1')
      }
    }
    expect(sent.map(({ status }) => status)).to.include(201)
  })

  it('is refused with another body, path or version, and nothing changes [spec 7:14 8:14]', async () => {
    const { body } = await create('one-request')
    const before = await asks()
    expectProblem(
      await create('one-request', { ...ask, title: 'Prose' }),
      409,
      'idempotency/key-reused',
      'Idempotency-Key',
    )
    const older = { ...keyed('one-request'), 'market-version': '2026-05-05' }
    const inOlder = await api.send('POST', '/v1/asks', { token: seller.token, body: ask, headers: older })
    expectProblem(inOlder, 409, 'idempotency/key-reused', 'Idempotency-Key')
    expect(await asks()).to.equal(before)

    const revise = (urn: string) =>
      api.send('PATCH', `/v1/asks/${urn}`, {
        token: seller.token,
        body: { title: 'Ode' },
        headers: keyed('one-request'),
      })
    const second = await create('another-request')
    const [one, two] = [body, second.body].map(({ urn }) => urnString('ask', urn.body))
    expect((await revise(one ?? '')).status).to.equal(200)
    expectProblem(await revise(two ?? ''), 409, 'idempotency/key-reused', 'Idempotency-Key')
  })

  it('has a key of its own for each account [spec 8:13]', async () => {
    const [mine, theirs] = [await create('shared'), await create('shared', ask, other.token)]
    expect(theirs.status).to.equal(201)
    expect(theirs.body.urn).to.not.deep.equal(mine.body.urn)
    const asAgent = { ...keyed('shared'), 'Market-Agent': urnString('agent', seller.agentId) }
    const byOwner = await api.send('POST', '/v1/asks', { token: seller.humanToken, body: ask, headers: asAgent })
    expect(byOwner.body).to.deep.equal(mine.body)
  })

  it('is tried again after a refusal, and its key takes no other body', async () => {
    const refusals = [
      [{ ...ask, auto_accept_seconds: 1_209_601 }, 422, 'asks/window-out-of-range', 'auto_accept_seconds'],
      [{ ...ask, price: 'a lot' }, 400, 'request/invalid', 'price'],
    ] as const
    for (const [wrong, status, type, field] of refusals) {
      const key = `refused-${status}`
      for (let attempt = 0; attempt < 2; attempt++) expectProblem(await create(key, wrong), status, type, field)
      expectProblem(await create(key), 409, 'idempotency/key-reused', 'Idempotency-Key')
    }
    // What the rules refused before can be allowed later: the refusal was not kept.
    const { rules } = api.settings
    const { maxAutoAcceptSeconds } = rules
    rules.maxAutoAcceptSeconds = 1_209_601
    const { status } = await create('refused-422', { ...ask, auto_accept_seconds: 1_209_601 })
    rules.maxAutoAcceptSeconds = maxAutoAcceptSeconds
    expect(status).to.equal(201)
  })

  it('keeps the answer of its success when a refusal of the same call comes later', async () => {
    const { body } = await create('late-refusal')
    const rows = api.db.selectFrom('market.idempotent_answers').selectAll().where('key', '=', 'late-refusal')
    const { fingerprint, token_id, ...named } = await rows.executeTakeFirstOrThrow()
    const claim = { ...named, fingerprint, tokenId: token_id ?? '', bearer: seller.token, settings: api.settings }
    // As of the other of two sent at once, which read what the rules say before the first had its effect.
    await bindKey(api.db, claim)
    expect(await rows.executeTakeFirstOrThrow()).to.deep.include({ status: 201, fingerprint })
    expect((await create('late-refusal')).body).to.deep.equal(body)
    await age()
    await bindKey(api.db, claim)
    expect(await rows.executeTakeFirstOrThrow()).to.deep.include({ status: null, body: null })
  })

  it('leaves its key free where the caller was refused, and a day after', async () => {
    expectProblem(await create('free', ask, 'market_pat_none'), 401, 'auth/unauthenticated')
    expect((await create('free')).status).to.equal(201)
    await create('bound', { ...ask, price: 'a lot' })
    expectProblem(await create('bound'), 409, 'idempotency/key-reused', 'Idempotency-Key')
    await age()
    await create('bound', { ...ask, price: 'too much' })
    expectProblem(await create('bound'), 409, 'idempotency/key-reused', 'Idempotency-Key')
    await age()
    expect((await create('bound')).status).to.equal(201)
  })

  describe('that is open to everyone', () => {
    const issue = async () => {
      const path = `/v1/me/agents/${urnString('agent', seller.agentId)}/tickets`
      const reply = await api.send('POST', path, { token: seller.humanToken, body: { scopes: ['read'] } })
      return String(reply.body.ticket)
    }
    const exchange = (ticket: string, key?: string) =>
      api.send('POST', '/v1/tickets/exchange', { body: { ticket }, headers: key === undefined ? {} : keyed(key) })

    it('is answered alike to the credential in its body, which keeps the answer from everyone else', async () => {
      const ticket = await issue()
      const [first, again] = [await exchange(ticket, 'lost'), await exchange(ticket, 'lost')]
      expect([first.status, again.status]).to.deep.equal([201, 201])
      expect(again.body).to.deep.equal(first.body)
      expect(again.headers.get('idempotent-replayed')).to.equal('true')
      const rows = await api.db.selectFrom('market.idempotent_answers').selectAll().execute()
      for (const row of rows) expect(JSON.stringify(row.headers) + row.body).to.not.include(first.body.secret)
      expect(rows.map(({ scope }) => scope)).to.include(sha256Hex(ticket))
    })

    it('has keys of its own for each credential, and without a key is done once', async () => {
      const [one, other] = [await exchange(await issue(), 'shared'), await exchange(await issue(), 'shared')]
      expect(other.status).to.equal(201)
      expect(other.body.secret).to.not.equal(one.body.secret)
      const ticket = await issue()
      expect((await exchange(ticket)).status).to.equal(201)
      expectProblem(await exchange(ticket, 'late'), 401, 'auth/ticket-invalid', 'ticket')
    })

    it('belongs to the address of the caller where there is no credential', async () => {
      const offer = (key: string) => api.send('POST', '/v1/me/passkeys/assertion/options', { headers: keyed(key) })
      const [one, again, other] = [await offer('offer'), await offer('offer'), await offer('another')]
      expect([one.status, again.status, other.status]).to.deep.equal([200, 200, 200])
      expect(again.body).to.deep.equal(one.body)
      expect(other.body.challenge).to.not.equal(one.body.challenge)
    })

    it('keeps no hash of an address of mail that could be searched for it', async () => {
      const path = '/v1/me/passkeys/sign_up/options'
      const body = { display_name: 'Ada', email: 'ada@example.org' }
      const [one, again] = [
        await api.send('POST', path, { body, headers: keyed('sign up') }),
        await api.send('POST', path, { body, headers: keyed('sign-up') }),
      ]
      expectProblem(one, 400, 'request/invalid', 'Idempotency-Key')
      expect(again.status).to.equal(200)
      const { fingerprint } = await api.db
        .selectFrom('market.idempotent_answers')
        .select('fingerprint')
        .where('key', '=', 'sign-up')
        .executeTakeFirstOrThrow()
      const request = JSON.stringify(['post', path, '', CURRENT_VERSION, null])
      expect(fingerprint.toString('hex')).to.not.equal(sha256Hex(`${request}\n${JSON.stringify(body)}`))
    })

    it('begins one session however often a passkey is presented, to no page of another site', async () => {
      const { passkey } = await signUp(api)
      const options = await newBrowser(api).options('assertion')
      const credential = passkey.get(options)
      const present = (headers = {}) =>
        api.send('POST', '/v1/me/passkeys/assertion/verify', {
          body: { credential },
          headers: { ...keyed('in'), ...headers },
        })
      const [first, again] = [await present(), await present()]
      expect([first.status, again.status]).to.deep.equal([200, 200])
      const cookie = first.headers.get('set-cookie') ?? ''
      expect(again.headers.get('set-cookie')).to.equal(cookie)
      expectProblem(await present({ origin: 'https://elsewhere.example' }), 403, 'auth/origin-refused', 'Origin')
      const rows = await api.db.selectFrom('market.idempotent_answers').selectAll().execute()
      const secret = /=([^;]+)/.exec(cookie)?.[1] ?? ''
      expect(secret).to.have.lengthOf.above(20)
      for (const row of rows) expect(JSON.stringify(row.headers) + row.body).to.not.include(secret)
    })
  })

  it('is refused with a key that is none', async () => {
    for (const key of ['', 'two words', 'x'.repeat(256), '"open', 'a"b', 'back\\slash']) {
      expectProblem(await create(key), 400, 'request/invalid', 'Idempotency-Key')
    }
    expect((await create('x'.repeat(255))).status).to.equal(201)
  })

  it('is not repeated to whoever lost the scope', async () => {
    const reader = await newTrader({ api }, { wallet: 'unbound', scopes: ['read'] })
    expectProblem(await create('scoped', ask, reader.token), 403, 'auth/scope-insufficient')
  })

  it('repeats a secret to the token that asked, and keeps it where nobody else can read it', async () => {
    const first = await mint('secret', seller.humanToken)
    expect((await mint('secret', seller.humanToken)).body).to.deep.equal(first.body)
    const { body } = await api.send('POST', '/v1/me/tokens', {
      token: seller.humanToken,
      body: { owner_urn: urnString('human', seller.humanId), scopes: ['read', 'manage'] },
    })
    expectProblem(await mint('secret', body.secret), 409, 'idempotency/other-token', 'Idempotency-Key')
    const rows = await api.db.selectFrom('market.idempotent_answers').selectAll().execute()
    for (const row of rows) expect(row.body?.includes(first.body.secret) ?? false).to.equal(false)
  })

  it('can be done anew a day later, when its answer is forgotten', async () => {
    const first = await create('daily')
    await age()
    const second = await create('daily')
    expect(second.body.urn).to.not.deep.equal(first.body.urn)
    expect((await create('daily')).body).to.deep.equal(second.body)
    const log = pino({ level: 'silent' })
    const rpc = undefined as never
    await purge({ db: api.serviceDb, rpc, settings: api.settings, log })
    const kept = await api.db.selectFrom('market.idempotent_answers').select('key').execute()
    expect(kept).to.deep.equal([{ key: 'daily' }])
  })

  it('ends with one ask for each key, whatever is sent in whatever order', async () => {
    const sends = fc.array(fc.record({ key: fc.nat(3), title: fc.constantFrom('A', 'B') }), { maxLength: 12 })
    let run = 0
    const property = fc.asyncProperty(sends, async (calls) => {
      const prefix = `run-${run++}`
      const before = await asks()
      const replies = await Promise.all(calls.map(({ key, title }) => create(`${prefix}-${key}`, { ...ask, title })))
      expect(replies.map(({ status }) => status).every((status) => status === 201 || status === 409)).to.equal(true)
      expect(await asks()).to.equal(before + BigInt(new Set(calls.map(({ key }) => key)).size))
    })
    await fc.assert(property, { numRuns: 25 })
  })
})
