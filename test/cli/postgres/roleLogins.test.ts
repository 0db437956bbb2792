import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { migrate } from '../../../api/platform/db/migrate.ts'
import { roleUrls } from '../../../cli/postgres/roleLogins.ts'
import { startTestServer } from '../../../cli/postgres/testServer.ts'
import { prepareDatabase } from '../../../cli/sandboxDatabase.ts'
import { withDatabase } from '../../stack/server.ts'

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

  test('are asked for where the owner may not create them: migrate prints the SQL, and changes nothing', async () => {
    const url = await newDatabase('plain')
    const message = await failure(migrate(url))
    const statements = message.split('\n').filter((line) => line.endsWith(';'))
    expect(statements).to.deep.equal([
      'create role market_api nologin;',
      'create role market_facilitator nologin;',
      'create role market_indexer nologin;',
      'grant market_indexer to plain;',
    ])
    expect(await schemasOf(url)).to.have.length(0)

    // A sandbox warns, and runs as the owner.
    const urls = await prepareDatabase(url, (notice) => notices.push(notice))
    expect(urls).to.deep.equal({ api: url, facilitator: url, indexer: url })
    expect(notices.join()).to.contain('may not manage roles')
    expect(await schemasOf(url)).to.have.length(3)

    await admin.query(statements.join('\n'))
    await migrate(url)
    expect(
      await query(url, `select has_table_privilege('market_api', 'ledger.entries', 'select') as may`),
    ).to.deep.equal([{ may: true }])
    // Passwords of roles that somebody else made are not ours to set.
    expect((await prepareDatabase(url, () => {})).api).to.equal(url)
    await admin.query('drop database plain with (force)')
    await admin.query('drop role market_api, market_facilitator, market_indexer')
  })

  test('are created once, by an owner who may, for all databases of the server', async () => {
    const url = await newDatabase('able', 'createrole')
    const urls = await prepareDatabase(url, (notice) => notices.push(notice))
    expect(urls).to.deep.equal(roleUrls(url))
    // A server where the roles had paths of their own.
    await admin.query('alter role market_api set search_path = public')
    await prepareDatabase(url, (notice) => notices.push(notice))
    expect(await query(urls.api, 'show search_path')).to.deep.equal([{ search_path: '""' }])
    await query(urls.indexer, 'create schema chain; create table chain.rows as select 1 as id')
    expect(await query(urls.api, 'select id from chain.rows')).to.deep.equal([{ id: 1 }])

    const other = await newDatabase('other')
    expect(await failure(migrate(other)))
      .to.contain('grant market_indexer to other;')
      .and.not.contain('create role')
    await admin.query('grant market_indexer to other')
    await migrate(other)
  })
})
