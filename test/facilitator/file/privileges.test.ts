import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { installSandboxClock } from '../../../api/sandbox/install.ts'
import { actHere, type Bench, startBench } from '../../kit/facilitator/facilitator.ts'

const FORBIDDEN = '42501'
// What is done to tables alone, or through views that take it, is refused to a view before privileges are
// looked at.
const REFUSED = [FORBIDDEN, '55000', '42809']
/** What the role is there for. */
const OWN = [
  'facilitator.authorizations',
  'facilitator.first_sights',
  'facilitator.heartbeat',
  'facilitator.identities',
  'facilitator.leases',
  'facilitator.outcomes',
  'facilitator.transactions',
  'facilitator.wallet_sights',
]
/** Of these, what the role changes: all else it adds to. */
const CHANGED: Record<string, string[]> = {
  'facilitator.heartbeat': ['beat_at'],
  'facilitator.leases': ['holder', 'fencing', 'ends_at'],
}
/** Of these, what the database alone writes. */
const STAMPED: Record<string, string> = {
  'facilitator.outcomes': 'decided_at',
  'facilitator.transactions': 'created_at',
  'facilitator.wallet_sights': 'id',
}
/** Of tables that the role reads in part, the columns. */
const READABLE_COLUMNS: Record<string, string[]> = { 'market.appeal_fees': ['dispute_id', 'amount_micros'] }
const READABLE = [
  'facilitator.rejected_wallets',
  'facilitator.restores',
  'market.intents',
  'market.payout_stops',
  'sandbox.clock',
]

describe('the database role of the facilitator', { timeout: 300_000 }, () => {
  let bench: Bench
  let role: pg.Client

  const refusalOf = (act: string) =>
    role.query(act).then(
      () => 'done',
      (error: pg.DatabaseError) => error.code,
    )
  const all = async <Row extends pg.QueryResultRow>(query: string) => (await bench.client.query<Row>(query)).rows
  /** Every table and view there is, whichever schema it is in, but the server's own. */
  const relations = async () =>
    all<{ name: string; columns: string[] }>(
      `select format('%I.%I', table_schema, table_name) as name, array_agg(quote_ident(column_name)) as columns
       from information_schema.columns
       where table_schema not in ('pg_catalog', 'information_schema') group by 1 order by 1`,
    )

  before(async () => {
    bench = await startBench()
    await installSandboxClock(bench.database.url)
    role = new pg.Client(bench.database.roleUrls.facilitator)
    await role.connect()
  })

  after(async () => {
    await role.end()
    await bench.stop()
  })

  test('writes its own tables, and no other in any way', async () => {
    const others = (await relations()).filter(({ name }) => !OWN.includes(name))
    const schemas = new Set(others.map(({ name }) => name.split('.')[0]))
    expect([...schemas]).to.include.members(['market', 'ledger', 'sandbox', 'public'])
    expect(others.length).to.be.above(20)
    for (const { name, columns } of others) {
      const acts = [
        `insert into ${name} default values`,
        ...columns.map((column) => `update ${name} set ${column} = default`),
        `delete from ${name}`,
        `truncate ${name}`,
        `create trigger mine before insert on ${name} execute function market.refuse_change()`,
        `alter table ${name} disable trigger all`,
        `drop table ${name}`,
      ]
      for (const act of acts) expect(await refusalOf(act), act).to.be.oneOf(REFUSED)
    }
  })

  test('adds to its own tables, changes nothing in them but the heartbeat and its lease, and locks none [risk market-facilitator]', async () => {
    for (const { name, columns } of (await relations()).filter(({ name }) => OWN.includes(name))) {
      const added = columns.filter((column) => STAMPED[name] !== column)
      expect(await refusalOf(`insert into ${name} (${added}) select ${added} from ${name} where false`)).to.equal(
        'done',
      )
      for (const column of columns) {
        const act = `update ${name} set ${column} = ${column} where false`
        expect(await refusalOf(act), act).to.equal(CHANGED[name]?.includes(column) ? 'done' : FORBIDDEN)
      }
      for (const act of [`delete from ${name}`, `truncate ${name}`, `begin; lock table ${name}`]) {
        expect(await refusalOf(act), act).to.equal(FORBIDDEN)
        await role.query('rollback')
      }
    }
  })

  test('adds no time at which something was written down, and no place before other rows', async () => {
    for (const [name, column] of Object.entries(STAMPED))
      expect(await refusalOf(`insert into ${name} (${column}) values (default)`), name).to.equal(FORBIDDEN)
  })

  test('reads intents, stops and appeals, and no secret: neither tokens nor wallets, nor anything else of the market', async () => {
    const secret = (await relations()).filter(({ name }) => ![...OWN, ...READABLE].includes(name))
    for (const { name, columns } of secret) {
      for (const column of columns) {
        const act = `select ${column} from ${name}`
        const isReadable = READABLE_COLUMNS[name]?.includes(column)
        expect(await refusalOf(act), act).to.equal(isReadable ? 'done' : FORBIDDEN)
      }
      expect(await refusalOf(`copy ${name} to stdout`), name).to.be.oneOf(REFUSED)
    }
    expect(secret.map(({ name }) => name)).to.include.members(['market.tokens', 'market.wallets', 'market.audit_log'])
    for (const name of READABLE) expect(await refusalOf(`select * from ${name}`), name).to.equal('done')
  })

  test('makes nothing: no schema, table, function, trigger, view or type, in any schema there is', async () => {
    const schemas = await all<{ name: string }>(
      `select quote_ident(nspname) as name from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema'`,
    )
    expect(schemas.length).to.be.above(4)
    for (const { name } of schemas) {
      const acts = [
        `create table ${name}.mine (id int)`,
        `create view ${name}.mine as select 1`,
        `create type ${name}.mine as (id int)`,
        `create sequence ${name}.mine`,
        `create function ${name}.mine() returns int language sql as 'select 1'`,
        `create or replace function ${name}.now() returns timestamptz language sql as 'select clock_timestamp()'`,
      ]
      for (const act of acts) expect(await refusalOf(act), act).to.equal(FORBIDDEN)
    }
    const acts = [
      'create schema mine',
      'create role mine',
      'create database mine',
      `alter role market_facilitator superuser`,
      'set role pg_read_all_data',
      `copy facilitator.heartbeat to program 'cat'`,
      `select pg_read_file('/etc/hostname')`,
      'create trigger mine before insert on facilitator.outcomes execute function market.refuse_change()',
    ]
    for (const act of acts) expect(await refusalOf(act), act).to.equal(FORBIDDEN)
  })

  test('has no powers by its attributes, its memberships or functions that act as their owner', async () => {
    const [attributes] = await all(
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles
       where rolname = 'market_facilitator'`,
    )
    expect(Object.values(attributes ?? {})).to.deep.equal([false, false, false, false, false])
    expect(await all(`select from pg_auth_members where member = 'market_facilitator'::regrole`)).to.deep.equal([])
    const elevated = `select proname from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
      where prosecdef and nspname <> 'pg_catalog' and has_function_privilege('market_facilitator', pg_proc.oid, 'execute')`
    // It says which migrations the database has, and takes nothing.
    expect(await all(elevated)).to.deep.equal([{ proname: 'schema_history' }])
    expect(await refusalOf(`select ledger.post_transfers('[]')`)).to.equal(FORBIDDEN)
  })

  test('with a privilege too many is not acted under', async () => {
    const excesses: [string, string][] = [
      ['insert on market.events', 'market.events'],
      ['select on market.tokens', 'market.tokens'],
      ['select (secret_hash) on market.tokens', 'market.tokens'],
      ['update (closed_at) on market.intents', 'market.intents'],
      ['delete on ledger.entries', 'ledger.entries'],
      ['update (nonce) on facilitator.authorizations', 'facilitator.authorizations'],
      ['delete on facilitator.transactions', 'facilitator.transactions'],
    ]
    for (const [privilege, relation] of excesses) {
      await bench.client.query(`grant ${privilege} to market_facilitator`)
      const failure = await actHere(bench).then(
        ({ stop }) => stop().then(() => 'it acts'),
        (error: Error) => error.message,
      )
      await bench.client.query(`revoke ${privilege} from market_facilitator`)
      expect(failure, privilege).to.contain(`may use ${relation}: use market_facilitator`)
    }
    await (await actHere(bench)).stop()
  })
})
