import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { migrate } from '../../../../api/platform/db/migrate.ts'
import { schema } from '../../../../api/schema.ts'
import { ROOT } from '../../../../cli/machine/paths.ts'
import { serverUrl, withDatabase } from '../../../kit/stack/server.ts'

const FIRST = '0001_schema.sql'
const VALIDATION = 'api/migrations/1.0.0-rc.2/0015_validate_rows.sql'
// As before the first release.
const FORMER = 'api/platform/db/schema.sql'

describe('migrate', () => {
  const name = `migrate_${process.pid}`
  let admin: pg.Client
  let url: string
  let client: pg.Client

  const recorded = async () => {
    const { rows } = await client.query('select name, sha256, applied_at from public.migrations order by applied_at')
    return rows
  }
  const failure = () =>
    migrate(url, schema).then(
      () => 'done',
      (error: Error) => error.message,
    )

  before(async () => {
    admin = new pg.Client(await serverUrl())
    await admin.connect()
    await admin.query(`create database ${name}`)
    url = withDatabase(await serverUrl(), name)
    client = new pg.Client(url)
    await client.connect()
  })

  after(async () => {
    await client?.end()
    await admin?.query(`drop database if exists ${name} with (force)`)
    await admin?.end()
  })

  it('applies each file once, however many processes migrate at once', async () => {
    await Promise.all([migrate(url, schema), migrate(url, schema), migrate(url, schema)])
    const applied = await recorded()
    expect(applied.map((file) => file.name)).to.deep.equal(schema.migrations.map((file) => file.name))
    await migrate(url, schema)
    expect(await recorded()).to.deep.equal(applied)
  })

  it('refuses a database whose text search takes quotes for letters, changes nothing in it, and says the cure', async () => {
    for (const [suffix, options] of [
      ['c', `encoding 'UTF8' lc_ctype 'C'`],
      ['latin', `encoding 'LATIN1' locale_provider libc lc_collate 'C' lc_ctype 'C'`],
    ]) {
      const other = `${name}_${suffix}`
      await admin.query(`create database ${other} template template0 ${options}`)
      const made = new pg.Client(withDatabase(await serverUrl(), other))
      try {
        const told = await migrate(withDatabase(await serverUrl(), other), schema).catch(
          (error: Error) => error.message,
        )
        expect(told).to.contain('make it anew with: create database').and.contain(`lc_ctype 'C.UTF-8'`)
        await made.connect()
        const { rows } = await made.query(`select to_regclass('public.migrations') as found`)
        expect(rows[0].found).to.equal(null)
      } finally {
        await made.end()
        await admin.query(`drop database ${other} with (force)`)
      }
    }
  })

  it('refuses a database that was made from other files, and changes nothing in it', async () => {
    const before = await recorded()
    const refused = async (change: string) => {
      await client.query(`begin; ${change}; commit`)
      const told = await failure()
      await client.query(`update public.migrations set name = $1, sha256 = $2 where name in ($1, $3)`, [
        ...[FIRST, before[0].sha256, FORMER],
      ])
      expect(await recorded()).to.deep.equal(before)
      return told
    }
    expect(await refused(`update public.migrations set sha256 = 'other' where name = '${FIRST}'`))
      .to.contain('made from other files')
      .and.contain(FIRST)
    expect(await refused(`update public.migrations set name = '${FORMER}' where name = '${FIRST}'`))
      .to.contain('made from other files')
      .and.contain(FORMER)
    expect(await failure()).to.equal('done')
  })

  it('goes past a row that no process wrote: its table’s constraint holds for new rows alone, and those of others for all', async () => {
    const [junk, other] = ['sweep_checkpoints', 'chain_progress']
    const addJunk = () => client.query(`insert into market.${junk} (block_number, block_hash) values (-1, 'x')`)
    for (const table of [junk, other]) {
      const name = `${table}_well_formed`
      const { rows } = await client.query(
        'select pg_get_constraintdef(oid) as is from pg_constraint where conname = $1',
        [name],
      )
      await client.query(`alter table market.${table} drop constraint ${name}`)
      if (table === junk) await addJunk()
      await client.query(`alter table market.${table} add constraint ${name} ${rows[0].is} not valid`)
    }
    await client.query(await readFile(join(ROOT, VALIDATION), 'utf8'))
    const { rows } = await client.query(
      'select conname as name, convalidated as holds from pg_constraint where conname = any ($1) order by 1',
      [[junk, other].map((table) => `${table}_well_formed`)],
    )
    expect(rows).to.deep.equal([
      { name: `${other}_well_formed`, holds: true },
      { name: `${junk}_well_formed`, holds: false },
    ])
    const refusal = await addJunk().catch((error: pg.DatabaseError) => error.constraint)
    expect(refusal).to.equal(`${junk}_well_formed`)
  })
})
