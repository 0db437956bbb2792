import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type RawBuilder, sql } from 'kysely'
import { pino } from 'pino'
import { keySet } from '../../../../api/config/publicConfig.ts'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { auditCheck } from '../../../../api/platform/audit/check.ts'
import { keepHead, toHead } from '../../../../api/platform/audit/head.ts'
import { sealAuditLog } from '../../../../api/platform/audit/seal.ts'
import type { Db } from '../../../../api/platform/db/pool.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { verifyAuditLog } from '../../../../sdk/auditLog.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { type Account, firstHuman, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { fileDueErasure } from '../../../kit/api/identity/erasure.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'

const FORBIDDEN = '42501'
const TABLES = [
  'audit_log',
  'audit_unsealed',
  'audit_seals',
  'audit_accounts',
  'audit_heads',
  'audit_turn',
  'audit_archives',
  'audit_emptied',
]

// Each test begins where the one before left off: the log is one.
describe('the audit log, in the hands of who has the login of API and worker or the owner’s', () => {
  let api: Api
  let ada: Account
  let services: JobServices
  let lines: { alarm?: boolean; msg: string }[] = []
  let check: (services: JobServices) => Promise<void>

  before(async () => {
    api = await startApi()
    ada = firstHuman(api)
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
    services = { db: api.workerDb, rpc: openRpc('http://127.0.0.1:9'), settings: api.settings, log }
    check = auditCheck({ patienceMs: 0 })
    await newHuman(api, 'Bob')
    await sealAuditLog(services)
  })
  after(() => api.stop())

  const alarms = async (by = check) => {
    lines = []
    await by(services)
    return lines.filter(({ alarm }) => alarm).map(({ msg }) => msg)
  }
  const verified = async () =>
    verifyAuditLog(createMarket({ baseUrl: api.baseUrl, token: ada.token }), (await keySet(api.db, api.settings)).keys)
  /** As a superuser, whom no trigger stops. */
  const byHand = (...statements: string[]) =>
    api.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      for (const statement of statements) await sql.raw(statement).execute(tx)
    })

  it('is not rewritten and sealed anew for the service to sign [risk market-api]', async () => {
    const { rows } = await sql<{ name: string; column: string }>`
      select table_name as name, quote_ident(column_name) as column from information_schema.columns
      where table_schema = 'market' and table_name = any(${TABLES})`.execute(api.db)
    const statements = [
      ...rows.map(({ name, column }) => `update market.${name} set ${column} = default`),
      ...TABLES.flatMap((name) => [`delete from market.${name}`, `truncate market.${name}`]),
      ...['audit_unsealed', 'audit_seals', 'audit_accounts', 'audit_archives', 'audit_emptied'].map(
        (name) => `insert into market.${name} select * from market.${name}`,
      ),
      ...['salt', 'created_at'].map(
        (column) => `insert into market.audit_log (actor, action, subject, ${column}) values ('', '', '', null)`,
      ),
      `insert into market.audit_log (id, actor, action, subject) overriding system value values (0, '', '', '')`,
      'select market.attribute_audit_entries(0)',
      'select from market.audit_turn for update',
    ]
    for (const statement of statements) {
      const refused = await sql
        .raw(statement)
        .execute(api.serviceDb)
        .catch((error: unknown) => error)
      expect(refused, statement).to.include({ code: FORBIDDEN })
    }
    await verified()
    expect(await alarms()).to.deep.equal([])
  })

  it('tells nothing less of anybody, unless they are ended for good and an entry says so', async () => {
    const [eve, dan] = [await newHuman(api, 'Eve'), await newHuman(api, 'Dan')]
    await sealAuditLog(services)
    await newAgent(api, eve)
    await fileDueErasure(api.db, eve.id)
    await sql`select market.erase_human(${eve.id})`.execute(api.workerDb)
    const again = await sql`select market.erase_human(${eve.id})`.execute(api.workerDb).catch((error: unknown) => error)
    expect(again).to.include({ code: 'P0002' })
    await sealAuditLog(services)
    expectProblem(await api.send('GET', '/v1/me', { token: eve.token }), 401, 'auth/unauthenticated')
    const { rows } = await sql<{ urn: string; action: string; isTold: boolean }>`
      select subject as urn, action, salt is not null as "isTold" from market.audit_log
      where subject in (${eve.urn}, ${dan.urn}) order by id`.execute(api.db)
    expect(rows).to.deep.equal([
      { urn: eve.urn, action: 'human.create', isTold: false },
      { urn: dan.urn, action: 'human.create', isTold: true },
      { urn: eve.urn, action: 'human.erase', isTold: true },
    ])
    await verified()
    expect(await alarms()).to.deep.equal([])
  })

  it('takes no head from the login of the API, and of the worker only places of the log, a few a minute [risk market-api]', async () => {
    const add = (db: Db, values: RawBuilder<unknown>) =>
      sql`insert into market.audit_heads (position, hash, as_of, key_id, signature) ${values}`.execute(db).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )
    const end = sql`select position, chain_hash, market.now(), 'x', 'x' from market.audit_seals order by position desc limit 1`
    expect(await add(api.serviceDb, end)).to.equal(FORBIDDEN)
    for (const values of [
      sql`values (1000000, '\\x00', market.now(), 'x', 'x')`,
      sql`select position, decode(repeat('ab', 32), 'hex'), market.now(), 'x', 'x' from market.audit_seals order by position desc limit 1`,
      sql`select position, chain_hash, market.now(), 'x', 'x' from market.audit_seals order by position limit 1`,
      sql`select position, chain_hash, timestamptz '9999-01-01', 'x', 'x' from market.audit_seals order by position desc limit 1`,
      sql`select position, chain_hash, market.now(), repeat('x', 100000), 'x' from market.audit_seals order by position desc limit 1`,
    ])
      expect(await add(api.workerDb, values)).to.equal('23514')
    const { body: before } = await api.send('GET', '/v1/audit-log/head')
    const outcomes: unknown[] = []
    for (let row = 0; row < 70; row++) outcomes.push(await add(api.workerDb, end))
    expect(new Set(outcomes.slice(-5))).to.deep.equal(new Set(['23514']))
    expect((await api.send('GET', '/v1/audit-log/head')).body).to.deep.equal(before)
    expect(new Set(await alarms())).to.deep.equal(
      new Set(['a head of the audit log is on file that no key of ours signed']),
    )
    await byHand(`delete from market.audit_heads where key_id = 'x'`)
  })

  it('is not signed anew when it was rewritten, behind any number of rows that nobody signed', async () => {
    const before = toHead(await keepHead(api.workerDb, services.settings))
    const forged = `decode(repeat('ab', 32), 'hex')`
    await byHand(
      `insert into market.audit_heads (position, hash, as_of, key_id, signature)
        select position, ${forged}, market.now(), 'x', 'x' from market.audit_seals, generate_series(1, 2000) order by position desc limit 2000`,
      `create table market.kept_chain as select * from market.audit_seals`,
      `update market.audit_seals set chain_hash = ${forged}`,
    )
    // As of a process that starts now.
    const restarted = { ...services, settings: { ...services.settings } }
    await newHuman(api)
    await sealAuditLog(restarted)
    const heads =
      await sql`select from market.audit_heads where hash <> ${sql.raw(forged)} and position > ${before.document.position}`.execute(
        api.db,
      )
    expect(heads.rows).to.deep.equal([])
    expect(toHead(await keepHead(api.workerDb, restarted.settings))).to.deep.equal(before)
    await byHand(
      `insert into market.audit_unsealed (entry_id, digest) select entry_id, digest from market.audit_seals where position > ${before.document.position}`,
      `delete from market.audit_accounts where position > ${before.document.position}`,
      `delete from market.audit_seals where position > ${before.document.position}`,
      `update market.audit_seals seal set chain_hash = kept.chain_hash from market.kept_chain kept where kept.position = seal.position`,
      `drop table market.kept_chain`,
      `delete from market.audit_heads where key_id = 'x'`,
    )
    await sealAuditLog(services)
    await verified()
    expect(await alarms()).to.deep.equal([])
  })

  it('gets no first head when it is not new', async () => {
    await byHand(
      `create table market.kept_heads as select * from market.audit_heads`,
      'delete from market.audit_heads',
      `insert into market.audit_seals (position, entry_id, digest, chain_hash) values (1000000000000, 0, '', '')`,
    )
    expect(await keepHead(api.workerDb, { ...services.settings }).catch(String)).to.include('no head of ours')
    await byHand(
      'delete from market.audit_seals where position = 1000000000000',
      'insert into market.audit_heads overriding system value select * from market.kept_heads',
      'drop table market.kept_heads',
    )
    await verified()
  })

  it('raises an alarm when its entries are not being sealed for a minute, and none for passes in a row', async () => {
    await newHuman(api)
    const patient = auditCheck()
    for (let pass = 0; pass < 3; pass++) expect(await alarms(patient)).to.deep.equal([])
    expect(await alarms()).to.deep.equal([])
    expect(await alarms()).to.deep.equal(['entries of the audit log are not being sealed'])
    await sealAuditLog(services)
    expect(await alarms()).to.deep.equal([])
  })

  it('raises an alarm when an entry was changed or taken out by hand', async () => {
    await byHand(
      `update market.audit_log set action = 'nothing.happened' where action = 'human.create' and subject = '${ada.urn}'`,
    )
    expect(await alarms()).to.deep.equal(['an entry of the audit log was changed'])
    await byHand(`update market.audit_log set action = 'human.create' where action = 'nothing.happened'`)
    expect(await alarms()).to.deep.equal([])
  })

  it('is signed no more when it left a signed head, also a head of long ago, and raises an alarm [risk owner-login]', async () => {
    const signed = await verified()
    const rewrite = [
      `update market.audit_log set action = 'nothing.happened' where action = 'human.create' and subject = '${ada.urn}'`,
      'insert into market.audit_unsealed select entry.id, market.audit_digest(entry) from market.audit_log entry where salt is not null',
      `insert into market.audit_unsealed select entry_id, digest from market.audit_seals on conflict do nothing`,
      'delete from market.audit_seals',
      'delete from market.audit_accounts',
    ]
    await byHand(...rewrite)
    await newHuman(api)
    await sealAuditLog(services)
    expect((await api.send('GET', '/v1/audit-log/head')).body.document).to.include({ position: signed.position })
    const left = 'the audit log left a head that was signed'
    expect(await alarms(auditCheck())).to.include(left)
    // Whoever takes the heads of the file away too is found out by a worker that saw one.
    await byHand('delete from market.audit_heads')
    expect(await alarms(auditCheck())).to.not.include(left)
    expect(await alarms()).to.include(left)
  })
})
