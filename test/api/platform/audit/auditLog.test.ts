import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type RawBuilder, sql } from 'kysely'
import { pino } from 'pino'
import { keySet } from '../../../../api/config/publicConfig.ts'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { audit } from '../../../../api/platform/audit/audit.ts'
import { sealAuditLog } from '../../../../api/platform/audit/seal.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type PublicKeyJwk, publicKeyJwk } from '../../../../protocol/keys/signing.ts'
import {
  AUDIT_START,
  AuditChainError,
  type AuditEntry,
  type AuditHead,
  verifyAuditLog,
  verifyAuditPage,
} from '../../../../sdk/auditLog.ts'
import { createMarket, type Market } from '../../../../sdk/market.ts'
import { type Account, firstHuman, mint, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { newBrowser, signIn, signUp } from '../../../kit/api/identity/passkeys/browser.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'
import { watchAuditLog } from '../../../kit/api/platform/http/contract/audited.ts'

type Entries = AuditEntry[]

describe('the audit log', () => {
  let api: Api
  let ada: Account
  let bob: Account
  let agent: Account
  let client: Market
  let keys: readonly PublicKeyJwk[]
  before(async () => {
    api = await startApi()
    ada = firstHuman(api)
    bob = await newHuman(api, 'Bob')
    agent = await newAgent(api, ada)
    await newAgent(api, bob)
    await seal()
    client = createMarket({ baseUrl: api.baseUrl, token: ada.token })
    keys = (await keySet(api.db, api.settings)).keys
  })
  after(() => api.stop())

  const seal = async () => {
    const silent = pino({ level: 'silent' })
    await sealAuditLog({ db: api.workerDb, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings, log: silent })
  }
  const read = async (by: Account, query = '') => {
    const { status, body } = await api.send('GET', `/v1/audit-log${query}`, { token: by.token })
    expect(status).to.equal(200)
    return { entries: body.entries as Entries, next_cursor: body.next_cursor as string | null }
  }
  const faultOf = async (work: () => unknown) => {
    try {
      await work()
    } catch (error) {
      if (error instanceof AuditChainError) return { fault: error.fault, position: error.position }
      throw error
    }
    return undefined
  }

  it('shows everyone the whole chain, and of what was done the content of what concerns them [spec 4:49]', async () => {
    const mine = await read(ada, '?limit=500')
    const his = await read(bob, '?limit=500')
    expect(mine.entries.map(({ hash }) => hash)).to.deep.equal(his.entries.map(({ hash }) => hash))
    for (const { entries } of [mine, his]) {
      expect(verifyAuditPage(entries, AUDIT_START)).to.deep.equal({
        position: entries.length,
        hash: entries.at(-1)?.hash,
      })
    }
    const shown = ({ entries }: { entries: Entries }) => entries.flatMap(({ content }) => content ?? [])
    expect(shown(mine).map(({ action }) => action)).to.include.members(['human.create', 'agent.create', 'token.mint'])
    expect(shown(mine).some(({ actor, subject }) => [actor, subject].includes(bob.urn))).to.equal(false)
    expect(shown(his).some(({ subject }) => subject === bob.urn)).to.equal(true)
    expect(shown(his).some(({ actor, subject }) => [actor, subject].includes(ada.urn))).to.equal(false)
  })

  it('shows an agent what concerns it, and not the rest of its human’s', async () => {
    const { entries } = await read(agent, '?limit=500')
    const shown = entries.flatMap(({ content }) => content ?? [])
    expect(shown.map(({ action }) => action)).to.deep.equal(['agent.create', 'token.mint'])
    expect(shown[0]?.subject).to.equal(agent.urn)
  })

  it('is read page by page, or only what is one’s own', async () => {
    const { entries: all } = await read(ada, '?limit=500')
    const paged: Entries = []
    for (let query = '?limit=2'; ; ) {
      const { entries, next_cursor } = await read(ada, query)
      paged.push(...entries)
      if (next_cursor === null) break
      query = `?limit=2&cursor=${next_cursor}`
    }
    expect(paged).to.deep.equal(all)
    const own = await read(ada, '?limit=500&own=true')
    expect(own.entries).to.deep.equal(all.filter(({ content }) => content !== null))
    expect((await read(ada, `?after=${all.length - 1}`)).entries).to.deep.equal(all.slice(-1))
  })

  it('is for the scope read, and gives no cursor of another reader’s a page', async () => {
    const other = await mint(api, ada.token, ada.urn, ['transact', 'manage', 'withdraw'])
    expectProblem(await api.send('GET', '/v1/audit-log', { token: other }), 403, 'auth/scope-insufficient')
    const reader = await mint(api, ada.token, ada.urn, ['read'])
    expect((await api.send('GET', '/v1/audit-log', { token: reader })).status).to.equal(200)
    const { next_cursor } = await read(ada, '?limit=1')
    const reply = await api.send('GET', `/v1/audit-log?limit=1&cursor=${next_cursor}`, { token: bob.token })
    expectProblem(reply, 400, 'request/invalid', 'cursor')
  })

  it('has a signed head, open to everyone, that the whole chain leads to', async () => {
    const { status, headers, body } = await api.send('GET', '/v1/audit-log/head')
    expect(status).to.equal(200)
    expect(headers.get('cache-control')).to.equal('public, max-age=5')
    const { position, hash } = body.document as { position: number; hash: string }
    const place = await verifyAuditLog(client, keys)
    expect(place).to.deep.equal({ position, hash, heads: [body] })
    await api.db.transaction().execute((tx) => audit(tx, { actor: ada.urn, action: 'test', subject: ada.urn }))
    await seal()
    expect((await verifyAuditLog(client, keys, place)).position).to.be.above(position)
  })

  it('is held against every head that was kept, and says against which', async () => {
    const { body } = await api.send('GET', '/v1/audit-log/head')
    const kept = body as unknown as AuditHead
    await newAgent(api, ada)
    await seal()
    const { heads, position } = await verifyAuditLog(client, keys, AUDIT_START, [kept])
    expect(heads.map((head) => head.document.position)).to.deep.equal([kept.document.position, position])
    const forged = { ...kept, document: { ...kept.document, hash: 'ab'.repeat(32) } }
    expect(await faultOf(() => verifyAuditLog(client, keys, AUDIT_START, [forged]))).to.include({ fault: 'head' })
    const later = await verifyAuditLog(client, keys, { position, hash: heads[1]?.document.hash ?? '' }, [kept])
    expect(later.heads.map((head) => head.document.position)).to.deep.equal([position])
  })

  it('is found out when anything of it was changed, and the entry is named', async () => {
    const { entries } = await read(ada, '?limit=500')
    const own = entries.findIndex(({ content }) => content !== null)
    const other = entries.findIndex(({ content }) => content === null)
    const zeros = '00'.repeat(32)
    const changed = (index: number, change: (entry: Entries[number]) => Entries[number]) =>
      entries.map((entry, at) => (at === index ? change(entry) : entry))
    const told = (entry: Entries[number], said: object) => ({
      ...entry,
      content: entry.content && { ...entry.content, ...said },
    })
    for (const [fault, index, forged] of [
      ['digest', own, changed(own, (entry) => told(entry, { action: 'other' }))],
      ['digest', own, changed(own, (entry) => told(entry, { salt: zeros }))],
      ['link', other, changed(other, (entry) => ({ ...entry, digest: zeros }))],
      ['link', other, changed(other, (entry) => ({ ...entry, previous_hash: zeros.replace('0', '1') }))],
      ['gap', other, entries.toSpliced(other, 1)],
    ] as const) {
      const found = await faultOf(() => verifyAuditPage(forged, AUDIT_START))
      expect(found).to.deep.equal({ fault, position: index + 1 })
    }
  })

  it('is found out when it was changed in the database, cut short, or signed by somebody else [risk owner-login]', async () => {
    const verify = (by = keys) => faultOf(() => verifyAuditLog(client, by))
    const place = await verifyAuditLog(client, keys)
    const kept = place.heads
    const { rows } = await sql<{ position: bigint }>`
      select position from market.audit_log entry join market.audit_seals seal on seal.entry_id = entry.id
      where subject = ${agent.urn} and action = 'agent.create'`.execute(api.db)
    const position = Number(rows[0]?.position)
    const byHand = (change: RawBuilder<unknown>) =>
      api.db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await change.execute(tx)
      })
    await byHand(
      sql`update market.audit_log set action = 'forged' where subject = ${agent.urn} and action = 'agent.create'`,
    )
    expect(await verify()).to.deep.equal({ fault: 'digest', position })
    await byHand(
      sql`update market.audit_log set action = 'agent.create' where subject = ${agent.urn} and action = 'forged'`,
    )
    expect(await verify()).to.equal(undefined)
    const strangers = [await publicKeyJwk('77'.repeat(32))]
    expect(await verify(strangers)).to.include({ fault: 'head' })
    // As after a restore of an earlier copy: what was verified before is not there any more.
    await byHand(sql`delete from market.audit_seals where position = ${place.position}`)
    await byHand(sql`delete from market.audit_accounts where position = ${place.position}`)
    await byHand(sql`delete from market.audit_heads where position = ${place.position}`)
    const found = await faultOf(() => verifyAuditLog(client, keys, place))
    expect(found?.fault).to.equal('head')
    expect(found?.position).to.be.below(place.position)
    expect(await faultOf(() => verifyAuditLog(client, keys, AUDIT_START, kept))).to.include({ fault: 'head' })
    // What is done afterwards is signed, and whoever kept the head of then sees that it is another log.
    await newAgent(api, ada)
    await seal()
    expect(await verify()).to.equal(undefined)
    const { position: at } = place
    expect(await faultOf(() => verifyAuditLog(client, keys, AUDIT_START, kept))).to.deep.equal({
      fault: 'head',
      position: at,
    })
  })
})

// The access matrix shows it for the operations that name an object (contract/audited.ts).
describe('the audit log of a new account', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())

  it('has the acts that name no object', async () => {
    const { browser, passkey, id } = await signUp(api)
    const scout = await browser.send('POST', '/v1/accounts/agents', {
      body: { owner_urn: { prefix: 'human', body: id }, display_name: 'Scout' },
    })
    const tickets = `/v1/me/agents/${urnString('agent', scout.body.urn.body)}/tickets`
    const { body } = await browser.send('POST', tickets, { body: { scopes: ['read'] } })
    const org = { slug: 'new-account', display_name: 'New' }
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      'passkey.register': () => signUp(api),
      'session.begin': () => signIn(newBrowser(api), passkey),
      'ticket.exchange': () => api.send('POST', '/v1/tickets/exchange', { body: { ticket: body.ticket } }),
      'human.erase_request': () => browser.send('POST', '/v1/me/erase'),
      'human.erase_cancel': () => browser.send('DELETE', '/v1/me/erase'),
      'export.request': () => browser.send('POST', '/v1/me/exports'),
      'org.create': () => browser.send('POST', '/v1/me/orgs', { body: org }),
    }
    for (const [action, act] of Object.entries(acts)) {
      const written = await watchAuditLog(api)
      await act()
      expect((await written()).map((entry) => entry.action)).to.include(action)
    }
  })
})
