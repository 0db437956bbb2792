import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { makePartitions } from '../../../../api/platform/db/partitions.ts'
import { type Db, openPool } from '../../../../api/platform/db/pool.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'
import { until } from '../../../kit/until.ts'

const WRITERS = 4
const ROWS_A_WRITER = 150

describe('a table in partitions', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let owner: pg.Client
  let db: Db

  const partitionsOf = async (parent: string) => {
    const { rows } = await owner.query<{ name: string; count: number }>(
      `select relname as name, (xpath('/row/c/text()', query_to_xml('select count(*) as c from partitions.' || relname, false, true, '')))[1]::text::int as count
       from pg_catalog.pg_inherits join pg_catalog.pg_class on pg_class.oid = inhrelid
       where inhparent = $1::regclass order by relname`,
      [`market.${parent}`],
    )
    return Object.fromEntries(rows.map(({ name, count }) => [name.slice(parent.length + 1), count]))
  }
  const label = (index: number) => String(index).padStart(19, '0')

  before(async () => {
    database = await startDatabase()
    owner = new pg.Client(database.url)
    await owner.connect()
    db = openPool(database.roleUrls.worker, { max: WRITERS + 1, onError: () => {} })
    await owner.query(`
      create table market.numbered (id bigint generated always as identity primary key, word text) partition by range (id);
      select partitions.plan('numbered', 'id', 10, 'select max(id) from market.numbered');
      create table market.monthly (month date, id bigint generated always as identity, word text, ended boolean not null default false,
        primary key (month, id)) partition by range (month);
      select partitions.plan('monthly', 'month');
      grant select, insert on market.numbered, market.monthly to market_api`)
  })

  after(async () => {
    await db?.destroy()
    await owner?.end()
    await database?.stop()
  })

  it('has partitions ahead of its rows, and none twice', async () => {
    expect(await partitionsOf('numbered')).to.deep.equal({ [label(0)]: 0, [label(1)]: 0, rest: 0 })
    await owner.query('insert into market.numbered (word) select $1 from generate_series(1, 12)', ['a'])
    await Promise.all([makePartitions({ db }), makePartitions({ db })])
    expect(await partitionsOf('numbered')).to.deep.equal({ [label(0)]: 9, [label(1)]: 3, [label(2)]: 0, rest: 0 })
    const { rows } = await owner.query('select market.make_next_partition() as made')
    expect(rows).to.deep.equal([{ made: false }])
  })

  it('refuses no row whose partition nobody made, and moves it once it is made', async () => {
    await owner.query(`insert into market.numbered overriding system value values (5007, 'far'), (5008, 'far')`)
    expect(await partitionsOf('numbered')).to.include({ rest: 2 })
    await makePartitions({ db })
    expect(await partitionsOf('numbered')).to.include({ [label(500)]: 2, [label(501)]: 0, rest: 0 })
    await owner.query(`insert into market.monthly (month, word) values ('2031-01-01', 'far')`)
    await makePartitions({ db })
    expect(await partitionsOf('monthly')).to.include({ '2031_01': 1, rest: 0 })
  })

  it('is divided on, although a login has added rows with numbers and months that no partition can have', async () => {
    await owner.query(`
      create sequence market.sequenced_ids;
      create table market.sequenced (id bigint primary key default nextval('market.sequenced_ids'), word text) partition by range (id);
      select partitions.plan('sequenced', 'id', 10, 'select last_value from market.sequenced_ids');
      grant insert on market.sequenced to market_api`)
    const thief = new pg.Client(database.roleUrls.api)
    await thief.connect()
    for (const number of ['9223372036854775807', '-9223372036854775808', '9223372036854000000', '-1'])
      await thief.query('insert into market.sequenced (id, word) values ($1, $2)', [number, 'junk'])
    for (const month of ['infinity', '-infinity', '4713-01-01 BC', '294276-12-31'])
      await thief.query('insert into market.monthly (month, word) values ($1, $2)', [month, 'junk'])
    await thief.end()
    await owner.query(`insert into market.monthly (month, word) values ('2031-03-01', 'far')`)
    await makePartitions({ db })
    expect(await partitionsOf('monthly')).to.include({ '2031_03': 1, rest: 4 })
    expect(await partitionsOf('sequenced')).to.deep.equal({ [label(0)]: 0, [label(1)]: 0, rest: 4 })
    await owner.query(
      `alter table market.numbered disable trigger all; delete from market.numbered where word = 'junk'`,
    )
  })

  it('loses no row while partitions are made', async () => {
    const { rows: before } = await owner.query('select count(*)::int as count from market.numbered')
    const written = Promise.all(
      Array.from({ length: WRITERS }, async () => {
        const writer = new pg.Client(database.roleUrls.api)
        await writer.connect()
        for (let row = 0; row < ROWS_A_WRITER; row++)
          await writer.query(`insert into market.numbered (word) values ('b')`)
        await writer.end()
      }),
    )
    let isOver = false
    void written.finally(() => (isOver = true))
    while (!isOver) await makePartitions({ db })
    await written
    await makePartitions({ db })
    const { rest, ...made } = await partitionsOf('numbered')
    expect(rest).to.equal(0)
    expect(Object.values(made).reduce((sum, count) => sum + count, 0)).to.equal(
      before[0].count + WRITERS * ROWS_A_WRITER,
    )
  })

  it('drops what is below a bound and over, and nothing else', async () => {
    const drop = async (...values: string[]) => {
      const places = values.map((_value, index) => `$${index + 1}`).join(', ')
      const { rows } = await owner.query(`select partitions.drop_before(${places}) as dropped`, values)
      return rows[0].dropped
    }
    expect(await drop('numbered', '9')).to.equal(0)
    expect(await drop('numbered', '25')).to.equal(2)
    expect(Object.keys(await partitionsOf('numbered'))[0]).to.equal(label(2))
    await owner.query(`insert into market.monthly (month, word) values ('2020-01-01', 'old'), ('2020-02-01', 'old'), ('2020-03-01', 'old');
      update market.monthly set ended = month <> '2020-02-01'`)
    await makePartitions({ db })
    expect(await drop('monthly', '2020-03-01', 'ended')).to.equal(1)
    const left = Object.keys(await partitionsOf('monthly'))
    expect(left.slice(0, 2)).to.deep.equal(['2020_02', '2020_03'])
  })

  it('drops no row that is written meanwhile', async () => {
    await owner.query(`insert into market.monthly (month, word, ended) values ('2019-01-01', 'old', true)`)
    await makePartitions({ db })
    const writer = new pg.Client(database.roleUrls.api)
    await writer.connect()
    try {
      await writer.query('begin')
      await writer.query(`insert into market.monthly (month, word) values ('2019-01-01', 'late')`)
      const dropped = owner.query(`select partitions.drop_before('monthly', '2019-02-01', 'ended') as dropped`)
      await until('the drop waits for the writer', async () => {
        const { rows } = await writer.query('select from pg_catalog.pg_locks where not granted')
        return rows.length > 0
      })
      await writer.query('commit')
      expect((await dropped).rows).to.deep.equal([{ dropped: 0 }])
    } finally {
      await writer.end()
    }
    expect(await partitionsOf('monthly')).to.include({ '2019_01': 2 })
  })

  it('is divided by its owner alone', async () => {
    const api = new pg.Client(database.roleUrls.api)
    await api.connect()
    try {
      for (const act of [
        `select * from partitions.plans`,
        `insert into partitions.plans values ('events', 'id', 1, 'select 1')`,
        `select partitions.drop_before('numbered', '1000000')`,
        `select partitions.plan('numbered', 'id', 10, 'select 1')`,
        `select * from partitions.numbered_${label(2)}`,
        `create table partitions.mine (id int)`,
        `alter table market.numbered detach partition partitions.numbered_${label(2)}`,
      ])
        expect(
          await api.query(act).then(
            () => 'done',
            (error: pg.DatabaseError) => error.code,
          ),
          act,
        ).to.equal('42501')
    } finally {
      await api.end()
    }
  })
})
