import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { prepareIndexDatabase } from '../../../../api/platform/db/indexDatabase.ts'
import { migrate } from '../../../../api/platform/db/migrate.ts'
import { type RoleSetting, showSetting } from '../../../../api/platform/db/roleSettings.ts'
import { schema } from '../../../../api/schema.ts'
import { createIndexDatabase, prepareDatabases } from '../../../../cli/stack/internal/sandboxDatabase.ts'
import { indexUrls, roleUrls } from '../../../../cli/stack/postgres/roleLogins.ts'
import { startTestServer } from '../../../../cli/stack/postgres/testServer.ts'
import { withDatabase } from '../../../kit/stack/server.ts'

// On a server of its own: roles belong to a server, and every other test's has them.
describe('the roles of the processes, on a server that has none', { timeout: 60_000 }, () => {
  let server: string
  let admin: pg.Client
  const notices: string[] = []

  const failure = (given: Promise<unknown>) =>
    given.then(
      () => 'done',
      (error: Error) => error.message,
    )
  /** A database and its owner. */
  const newDatabase = async (name: string, attributes = '') => {
    await admin.query(`create role ${name} login password 'secret' ${attributes}`)
    await admin.query(`create database ${name} owner ${name}`)
    const url = new URL(withDatabase(server, name))
    url.username = name
    url.password = 'secret'
    return url.href
  }
  const query = async (url: string, text: string) => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  const schemasOf = async (url: string) =>
    query(url, `select from pg_namespace where nspname in ('market', 'ledger', 'bullmq')`)

  before(async () => {
    server = await startTestServer()
    admin = new pg.Client(server)
    await admin.connect()
  })

  after(() => admin?.end())

  /** What a refused owner is told to have run. */
  const statementsOf = (message: string) => message.split('\n').filter((line) => line.endsWith(';'))

  test('are asked for where the owner may not create them: migrate prints the SQL, and changes nothing', async () => {
    const url = await newDatabase('plain')
    await admin.query('create database plain_index owner plain')
    const indexUrl = withName(url, 'plain_index')
    const ofMarket = statementsOf(await failure(migrate(url, schema)))
    expect(ofMarket).to.deep.equal([
      'create role market_api nologin;',
      'create role market_worker nologin;',
      'create role market_facilitator nologin;',
      "alter role market_api set idle_in_transaction_session_timeout = '20s';",
      "alter role market_api set lock_timeout = '10s';",
      "alter role market_api set statement_timeout = '20s';",
      "alter role market_facilitator set idle_in_transaction_session_timeout = '10s';",
      "alter role market_facilitator set lock_timeout = '5s';",
      "alter role market_facilitator set statement_timeout = '10s';",
      "alter role market_worker set idle_in_transaction_session_timeout = '60s';",
      "alter role market_worker set lock_timeout = '20s';",
      "alter role market_worker set statement_timeout = '10min';",
      'grant market_api to market_worker;',
    ])
    const ofIndex = statementsOf(await failure(prepareIndexDatabase(indexUrl)))
    expect(ofIndex).to.deep.equal([
      'create role market_indexer nologin;',
      'create role market_index_reader nologin;',
      "alter role market_index_reader set idle_in_transaction_session_timeout = '20s';",
      "alter role market_index_reader set lock_timeout = '5s';",
      "alter role market_index_reader set statement_timeout = '10s';",
      'grant market_indexer to plain;',
    ])
    expect(await schemasOf(url)).to.have.length(0)

    // A sandbox warns, and runs as the owner.
    const logins = await prepareDatabases(url, indexUrl, (notice) => notices.push(notice))
    expect(logins).to.deep.equal({
      roleUrls: { api: url, worker: url, facilitator: url },
      indexUrls: { indexer: indexUrl, reader: indexUrl },
    })
    expect(notices.join()).to.contain('may not manage roles')
    expect(await schemasOf(url)).to.have.length(3)

    await admin.query([...ofMarket, ...ofIndex].join('\n'))
    await migrate(url, schema)
    await prepareIndexDatabase(indexUrl)
    expect(
      await query(url, `select has_table_privilege('market_api', 'ledger.entries', 'select') as may`),
    ).to.deep.equal([{ may: true }])
    // The same administrator gives the logins: the owner may not.
    const giveLogin = `alter role market_api login password 'of the administrator'`
    expect(await failure(query(url, giveLogin))).to.include('permission denied')
    await admin.query(giveLogin)
    const login = Object.assign(new URL(url), { username: 'market_api', password: 'of the administrator' })
    expect(await query(login.href, 'select current_user as name')).to.deep.equal([{ name: 'market_api' }])
    // Passwords of roles that somebody else made are not ours to set.
    expect((await prepareDatabases(url, indexUrl, () => {})).roleUrls.api).to.equal(url)
    await admin.query('drop database plain with (force)')
    await admin.query('drop database plain_index with (force)')
    await admin.query('drop role market_api, market_worker, market_facilitator, market_indexer, market_index_reader')
  })

  test('are created once, by an owner who may, for all databases of the server', async () => {
    const url = await newDatabase('able', 'createrole createdb')
    const indexUrl = await createIndexDatabase(url)
    expect(await createIndexDatabase(url)).to.equal(indexUrl)
    const logins = await prepareDatabases(url, indexUrl, (notice) => notices.push(notice))
    expect(logins).to.deep.equal({ roleUrls: roleUrls(url), indexUrls: indexUrls(indexUrl) })
    const { indexer, reader } = logins.indexUrls
    // A server where the roles had paths of their own.
    await admin.query('alter role market_api set search_path = public')
    await admin.query('alter role market_index_reader set search_path = public')
    await prepareDatabases(url, indexUrl, (notice) => notices.push(notice))
    for (const login of [logins.roleUrls.api, reader])
      expect(await query(login, 'show search_path')).to.deep.equal([{ search_path: '""' }])
    await query(indexer, 'create schema chain; create table chain.rows as select 1 as id')
    expect(await query(reader, 'select id from chain.rows')).to.deep.equal([{ id: 1 }])
    await prepareDatabases(url, indexUrl, (notice) => notices.push(notice))

    // A thief of the logins stores settings, for all databases and for one. They outlive the passwords.
    const { api } = logins.roleUrls
    await query(api, `alter role market_api in database able set datestyle = 'German'`)
    // The last one: a session that begins afterwards has a millisecond for each statement.
    await query(api, `alter role market_api set statement_timeout = '1ms'`)
    await query(reader, `alter role market_index_reader set lock_timeout = '0'`)
    const told: string[] = []
    const settings = { kept: ['work_mem'], onReset: (setting: RoleSetting) => told.push(showSetting(setting)) }
    await admin.query(`alter role market_api set work_mem = '8MB'`)
    await admin.query(`alter role market_api set lock_timeout = '20s'`)
    await migrate(url, schema, settings)
    await prepareIndexDatabase(indexUrl, settings)
    expect(told).to.deep.equal([
      'market_api: statement_timeout = 1ms',
      'market_api in database able: DateStyle = German',
      'market_index_reader: lock_timeout = 0',
    ])
    const stored = `select unnest(setconfig) as setting from pg_db_role_setting where setrole = current_user::regrole order by 1`
    const settingsOf = async (login: string) => (await query(login, stored)).map(({ setting }) => setting)
    const idle = 'idle_in_transaction_session_timeout=20s'
    expect(await settingsOf(api)).to.deep.equal([idle, 'lock_timeout=20s', 'statement_timeout=20s', 'work_mem=8MB'])
    expect(await settingsOf(reader)).to.deep.equal([idle, 'lock_timeout=5s', 'statement_timeout=10s'])

    // Only a superuser may reset a setting that only a superuser may store.
    await admin.query(`alter role market_worker set log_statement = 'all'`)
    const refused = await failure(migrate(url, schema, settings))
    expect(statementsOf(refused)).to.deep.equal(['alter role "market_worker" reset "log_statement";'])
    await admin.query(statementsOf(refused).join('\n'))
    await migrate(url, schema, settings)
    await admin.query('alter role market_api reset work_mem')

    const other = await newDatabase('other')
    await migrate(other, schema)
    await admin.query('create database other_index owner other')
    expect(await failure(prepareIndexDatabase(withName(other, 'other_index'))))
      .to.contain('grant market_indexer to other;')
      .and.not.contain('create role')
    expect(await failure(createIndexDatabase(other))).to.contain('set INDEX_DATABASE_URL')
  })
})

function withName(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}
