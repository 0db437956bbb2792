import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import { migrate } from '../../../../api/platform/db/migrate.ts'
import type { Schema } from '../../../../api/platform/db/migrations.ts'
import { openPool, queryable } from '../../../../api/platform/db/pool.ts'
import { listMigrations, misfitOf, readHistory } from '../../../../protocol/environment/migrations.ts'
import { serverUrl, withDatabase } from '../../../kit/stack/server.ts'
import { until } from '../../../kit/until.ts'

const FOLDER = 'migrations/'
/**
 * Three versions of a program. What the second adds the first does not know; what it removes the first uses.
 */
const FILES = {
  '1.0.0/0001_schema.sql': `create table public.things (id integer primary key, old text not null); insert into public.things
    select value, 'old' from generate_series(1, 1000) value`,
  '1.1.0/0002_add_new.sql': `alter table public.things add new text, alter old set default ''`,
  '1.1.0/0003_things_by_new.concurrent.sql': `-- Writers go on.\ncreate index concurrently things_by_new on public.things (new);\n`,
  '1.1.0/0004_drop_old.contract.sql': 'alter table public.things drop old',
  '1.2.0/0005_add_newer.sql': 'alter table public.things add newer text',
}

describe('migrations', () => {
  let folder: string
  let admin: pg.Client
  const opened: { end: () => Promise<void> }[] = []
  const names: string[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'market-migrations-'))
    admin = new pg.Client(await serverUrl())
    await admin.connect()
    for (const [path, text] of Object.entries(FILES)) await write(path, text)
  })

  after(async () => {
    for (const one of opened) await one.end()
    for (const name of names) await admin.query(`drop database if exists ${name} with (force)`)
    await admin?.end()
    await rm(folder, { recursive: true, force: true })
  })

  const write = async (path: string, text: string) => {
    await mkdir(join(folder, FOLDER, path, '..'), { recursive: true })
    await writeFile(join(folder, FOLDER, path), text)
  }
  /** What a version's program has. */
  const schemaOf = (version: string): Schema => {
    const root = pathToFileURL(`${folder}/`)
    const migrations = listMigrations(root, FOLDER).filter((migration) => migration.version <= version)
    return { root, version, files: [], migrations, roles: '' }
  }
  /** An empty database, and what programs make of it. */
  const emptyDatabase = async () => {
    const name = `migrations_${process.pid}_${names.length}`
    names.push(name)
    await admin.query(`create database ${name}`)
    const url = withDatabase(await serverUrl(), name)
    const client = new pg.Client(url)
    await client.connect()
    const db = openPool(url, { max: 1, onError: () => {} })
    opened.push(client, { end: () => db.destroy() })
    return {
      url,
      client,
      to: (version: string, contract = false) => migrate(url, schemaOf(version), { roles: false, contract }),
      refusal: (version: string, contract = false) =>
        migrate(url, schemaOf(version), { roles: false, contract }).then(
          () => undefined,
          (error: Error) => error.message,
        ),
      misfit: async (version: string) => misfitOf(schemaOf(version), await readHistory(queryable(db))),
      columns: async () => {
        const query = `select attname from pg_attribute where attrelid = 'public.things'::regclass and attnum > 0 and not attisdropped order by 1`
        return (await client.query(query)).rows.map(({ attname }) => attname)
      },
      index: async () =>
        (await client.query(`select indisvalid from pg_index where indexrelid = to_regclass('public.things_by_new')`))
          .rows[0]?.indisvalid,
    }
  }

  it('expand beside the former version; contract when asked, or with the next version; all at once when new', async () => {
    const one = await emptyDatabase()
    expect(await one.misfit('1.0.0')).to.contain('waits for migrations: 0001_schema.sql')
    await one.to('1.0.0')
    expect(await one.misfit('1.0.0')).to.equal(undefined)
    expect(await one.misfit('1.1.0')).to.contain('waits for migrations: 0002_add_new.sql, 0003')
    await one.to('1.1.0')
    expect(await one.columns()).to.deep.equal(['id', 'new', 'old'])
    expect(await one.misfit('1.0.0')).to.equal(undefined)
    expect(await one.misfit('1.1.0')).to.equal(undefined)
    await one.to('1.2.0')
    expect(await one.columns()).to.deep.equal(['id', 'new', 'newer'])

    const two = await emptyDatabase()
    await two.to('1.0.0')
    await two.to('1.1.0')
    await two.to('1.1.0', true)
    expect(await two.columns()).to.deep.equal(['id', 'new'])

    const three = await emptyDatabase()
    await three.to('1.1.0')
    expect(await three.columns()).to.deep.equal(['id', 'new'])
  })

  it('let a program work on a database of one version later that has all it uses, and on no other', async () => {
    const { to, misfit, refusal } = await emptyDatabase()
    await to('1.0.0')
    await to('1.1.0')
    expect(await refusal('1.0.0')).to.contain('version 1.1.0 has migrated this database: run its ./market migrate')
    await to('1.1.0', true)
    expect(await misfit('1.0.0')).to.equal(
      'Version 1.1.0 has removed from the database what 1.0.0 uses. Run version 1.1.0.',
    )
    await to('1.2.0')
    expect(await misfit('1.1.0')).to.equal(undefined)
    expect(await misfit('1.0.0')).to.equal(
      'The database is of version 1.2.0, more than one after 1.0.0. Run that version, or the one before it.',
    )
    // A version without a migration of its own: the roles may be others.
    expect(await misfit('1.2.1')).to.contain('never migrated by version 1.2.1')
    const made = await emptyDatabase()
    await made.to('1.2.0')
    expect(await made.refusal('1.1.0')).to.contain('has migrations of a later version (0005_add_newer.sql)')
  })

  it('contract only once no process of another version is connected', async () => {
    const { url, to, refusal, columns } = await emptyDatabase()
    await to('1.0.0')
    await to('1.1.0')
    const old = new pg.Client({ connectionString: url, application_name: 'market-api 1.0.0' })
    await old.connect()
    expect(await refusal('1.1.0', true)).to.contain('processes of another version are connected (market-api 1.0.0)')
    expect(await columns()).to.include('old')
    await old.end()
    await until(
      'the server knows that the process is gone',
      () => refusal('1.1.0', true),
      (told) => told === undefined,
    )
    expect(await columns()).not.to.include('old')
  })

  it('are refused when one that was applied has changed', async () => {
    const { to, refusal, columns } = await emptyDatabase()
    await to('1.0.0')
    await write('1.0.0/0001_schema.sql', `${FILES['1.0.0/0001_schema.sql']};`)
    try {
      expect(await refusal('1.1.0'))
        .to.contain('made from other files')
        .and.contain('0001_schema.sql')
      expect(await columns()).not.to.include('new')
    } finally {
      await write('1.0.0/0001_schema.sql', FILES['1.0.0/0001_schema.sql'])
    }
    await to('1.1.0')
  })

  it('build an index while writers go on, again after a crash, and only one at once', async () => {
    const { url, client, to, refusal, index } = await emptyDatabase()
    await to('1.0.0')
    const writer = new pg.Client(url)
    await writer.connect()
    opened.push(writer)
    // The build waits for a snapshot that is older than it; it dies waiting.
    await writer.query('begin isolation level repeatable read')
    await writer.query('select from pg_class limit 1')
    const dying = refusal('1.1.0')
    const building = async () =>
      (
        await client.query(
          `select pid from pg_stat_activity where query like 'create index concurrently%' and datname = current_database()`,
        )
      ).rows[0]?.pid
    const pid = await until('the index is being built', building, (found) => found !== undefined)
    await client.query('insert into public.things (id) values (2001)')
    await client.query('select pg_terminate_backend($1)', [pid])
    expect(await dying).not.to.equal(undefined)
    await writer.query('commit')
    expect(await index()).to.equal(false)
    await Promise.all([to('1.1.0'), to('1.1.0'), to('1.1.0')])
    expect(await index()).to.equal(true)
    // A crash before it was recorded.
    await client.query(`delete from public.migrations where name like '0003%'`)
    await to('1.1.0')
    expect(await index()).to.equal(true)
  })

  it('wait for a table that is in use without holding up who comes after them', async () => {
    const { url, client, to, columns } = await emptyDatabase()
    await to('1.0.0')
    const reader = new pg.Client(url)
    await reader.connect()
    opened.push(reader)
    await reader.query('begin; select from public.things limit 1')
    const migrated = to('1.1.0')
    const waiting = async () =>
      (
        await client.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
      ).rowCount
    await until('the migration waits for the table', waiting, (count) => count === 1)
    await client.query(`set statement_timeout = '5s'`)
    await client.query('select count(*) from public.things')
    await reader.query('commit')
    await migrated
    expect(await columns()).to.include('new')
  })

  it('are called by numbers one after the other, in a folder of their version', async () => {
    for (const path of ['1.3.0/0007_gap.sql', '1.3.0/words.sql', '0006_none.sql', '1.3.0/0006_a.later.sql']) {
      await write(path, 'select 1')
      expect(() => schemaOf('1.3.0'), path).to.throw(/numbers|not called as a migration/)
      await rm(join(folder, FOLDER, path))
    }
    await write('1.3.0/0006_two.concurrent.sql', 'create index concurrently a on public.things (id); select 1')
    const { refusal } = await emptyDatabase()
    expect(await refusal('1.3.0')).to.contain('0006_two.concurrent.sql is not one statement')
    await rm(join(folder, FOLDER, '1.3.0'), { recursive: true })
  })
})
