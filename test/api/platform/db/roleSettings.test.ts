import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pg from 'pg'
import { migrate } from '../../../../api/platform/db/migrate.ts'
import { type Db, openPool, queryable } from '../../../../api/platform/db/pool.ts'
import { showSetting } from '../../../../api/platform/db/roleSettings.ts'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import { schema } from '../../../../api/schema.ts'
import { openSession } from '../../../../facilitator/file/session.ts'
import { requireEmptySearchPath } from '../../../../protocol/environment/databaseFaults.ts'
import { freeAccount } from '../../../kit/chain/payments.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'

type Role = 'api' | 'worker' | 'facilitator'

/**
 * Settings that a role can store for its own sessions, and what then fails. Each act succeeds without the
 * setting.
 */
const TRICKS: { role: Role; name: string; value: string; act: (db: Db) => Promise<unknown> }[] = [
  { role: 'api', name: 'statement_timeout', value: '1ms', act: (db) => sql`select pg_sleep(0.1)`.execute(db) },
  { role: 'api', name: 'datestyle', value: 'SQL, DMY', act: (db) => sql`select market.now()`.execute(db) },
  {
    role: 'api',
    name: 'default_transaction_read_only',
    value: 'on',
    act: (db) => sql`update market.tokens set last_used_at = null where false`.execute(db),
  },
  { role: 'api', name: 'search_path', value: 'shadow', act: (db) => requireEmptySearchPath(queryable(db)) },
  {
    role: 'worker',
    name: 'role',
    value: 'market_api',
    act: (db) => sql`select market.purge_events(${1e9})`.execute(db),
  },
  {
    role: 'facilitator',
    name: 'default_transaction_read_only',
    value: 'on',
    act: (db) => sql`update facilitator.heartbeat set beat_at = beat_at where false`.execute(db),
  },
]

describe('a setting that a role stores for its own sessions', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let owner: pg.Client
  let name: string

  /** Stores a setting as the role itself, in this database alone: other tests use the role. */
  const store = async (role: Role, setting: string, value: string) => {
    const options = '-c statement_timeout=0 -c default_transaction_read_only=off -c role=none'
    const client = new pg.Client({ connectionString: database.roleUrls[role], options })
    await client.connect()
    await client.query(`alter role market_${role} in database ${name} set ${setting} = ${pg.escapeLiteral(value)}`)
    await client.end()
  }
  const reset = async () => {
    for (const role of ['api', 'worker', 'facilitator'])
      await owner.query(`alter role market_${role} in database ${name} reset all`)
  }
  const withPool = async <Answer>(role: Role, use: (db: Db) => Promise<Answer>) => {
    const db = openPool(database.roleUrls[role], { max: 1, onError: () => {} })
    try {
      return await use(db)
    } finally {
      await db.destroy()
    }
  }
  const outcomeOf = (role: Role, act: (db: Db) => Promise<unknown>) =>
    withPool(role, act).then(
      () => 'done',
      () => 'failed',
    )

  before(async () => {
    database = await startDatabase()
    owner = new pg.Client(database.url)
    await owner.connect()
    name = (await owner.query(`select quote_ident(current_database()) as name`)).rows[0].name
  })

  after(async () => {
    await owner?.end()
    await database?.stop()
  })

  test('changes nothing that a transaction relies on [risk any-login]', async () => {
    const settings = {
      synchronous_commit: 'on',
      DateStyle: 'ISO, MDY',
      TimeZone: 'UTC',
      IntervalStyle: 'postgres',
      search_path: '""',
      extra_float_digits: '1',
      gin_fuzzy_search_limit: '0',
      array_nulls: 'on',
      transform_null_equals: 'off',
      transaction_isolation: 'read committed',
      transaction_read_only: 'off',
    }
    const hostile = {
      synchronous_commit: 'off',
      datestyle: 'SQL, DMY',
      timezone: 'Asia/Kolkata',
      intervalstyle: 'sql_standard',
      search_path: 'shadow, pg_catalog',
      extra_float_digits: '-15',
      gin_fuzzy_search_limit: '1',
      array_nulls: 'off',
      transform_null_equals: 'on',
      default_transaction_isolation: 'serializable',
      default_transaction_read_only: 'on',
    }
    for (const [setting, value] of Object.entries(hostile)) await store('api', setting, value)
    await withPool('api', async (db) => {
      const { rows } = await inTransaction(db, 'read write', (tx) =>
        sql<{ name: string; setting: string }>`
          select name, current_setting(name) as setting from unnest(${Object.keys(settings)}::text[]) name`.execute(tx),
      )
      expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).to.deep.equal(settings)
      const { rows: after } = await sql<{ at: string }>`select current_setting('synchronous_commit') as at`.execute(db)
      expect(after).to.deep.equal([{ at: 'off' }])
    })
    await reset()
  })

  test('makes no deadline read as null: outside of a transaction the read fails', async () => {
    for (const style of ['SQL, DMY', 'German', 'Postgres, MDY']) {
      await store('api', 'datestyle', style)
      await withPool('api', async (db) => {
        const read = await sql<{ at: Date }>`select market.now() as at`.execute(db).catch((error: Error) => error)
        expect(read).to.be.instanceOf(Error).with.property('message').that.includes('./market migrate')
        const { rows } = await inTransaction(db, 'read only', (tx) =>
          sql<{ at: Date; day: string; never: Date }>`
            select timestamptz '2026-11-28 12:00+00' as at, date '2026-11-28' as day, timestamptz 'infinity' as never`.execute(
            tx,
          ),
        )
        expect(rows).to.deep.equal([
          { at: new Date('2026-11-28T12:00:00Z'), day: '2026-11-28', never: new Date(8.64e15) },
        ])
      })
    }
    await reset()
  })

  test('lets the facilitator commit nothing that is not on disk [risk any-login]', async () => {
    await owner.query(`
      create table public.commits (level text);
      grant insert on public.commits to market_facilitator;
      grant usage on schema public to market_facilitator;
      create function public.note_commit() returns trigger language plpgsql as $$
        begin insert into public.commits values (current_setting('synchronous_commit')); return null; end $$;
      create constraint trigger note_commit after insert or update on facilitator.heartbeat deferrable initially deferred
        for each row execute function public.note_commit();
      create constraint trigger note_commit after update on facilitator.leases deferrable initially deferred
        for each row execute function public.note_commit()`)
    await store('facilitator', 'synchronous_commit', 'off')
    const keys = { keys: [freeAccount(0).address], holder: 'test', leaseMs: 60_000 }
    const place = { url: database.roleUrls.facilitator, pooler: 'none' as const }
    const session = await openSession(place, keys, AbortSignal.timeout(30_000), {
      onWait: () => {},
      isSandbox: true,
      warn: () => {},
    })
    await session.write(
      `insert into facilitator.heartbeat (singleton, beat_at) select true, clock_timestamp() where (select is_held from lease)
       on conflict (singleton) do update set beat_at = excluded.beat_at`,
      [],
      'beat',
    )
    const { rows } = await owner.query<{ level: string }>('select level from public.commits')
    expect(rows).to.deep.equal([{ level: 'on' }, { level: 'on' }])
    await session.close()
    await owner.query('drop function public.note_commit() cascade; drop table public.commits')
    await reset()
  })

  test('gives no partition another name', async () => {
    const names = async () => {
      const { rows } = await owner.query(
        `select relname from pg_class where relnamespace = 'partitions'::regnamespace and relkind = 'r' order by 1`,
      )
      return rows.map(({ relname }) => relname)
    }
    const before = await names()
    const newest = before.findLast((relname) => /^webhook_deliveries_\d/.test(relname))
    await owner.query(`drop table partitions.${newest}`)
    await store('worker', 'datestyle', 'SQL, DMY')
    await withPool('worker', (db) => sql`select market.make_next_partition()`.execute(db))
    expect(await names()).to.deep.equal(before)
    await withPool('worker', (db) => sql`select market.drop_webhook_deliveries(${1e9})`.execute(db))
    expect(await names()).to.deep.equal(before)
    await reset()
  })

  test('hinders its process until `migrate` removes it, and names each; what the operator keeps stays [risk any-login]', async () => {
    for (const { role, name: setting, value, act } of TRICKS) {
      const what = `${setting} of ${role}`
      expect(await outcomeOf(role, act), what).to.equal('done')
      await store(role, setting, value)
      expect(await outcomeOf(role, act), what).to.equal('failed')
      await reset()
    }
    for (const { role, name: setting, value } of TRICKS) await store(role, setting, value)
    // Of an operator.
    await owner.query(`alter role market_api in database ${name} set work_mem = '8MB'`)
    await owner.query(`alter role market_api in database ${name} set lock_timeout = '30s'`)
    const told: string[] = []
    await migrate(database.url, schema, {
      kept: ['work_mem', 'search_path'],
      onReset: (setting) => told.push(showSetting(setting)),
    })
    const expected = TRICKS.map(
      ({ role, name: setting, value }) => `market_${role} in database ${name}: ${setting} = ${value}`,
    )
    expect(told.map((line) => line.toLowerCase()).sort()).to.deep.equal(
      expected.map((line) => line.toLowerCase()).sort(),
    )
    for (const { role, name: setting, act } of TRICKS)
      expect(await outcomeOf(role, act), `${setting} of ${role}`).to.equal('done')
    const { rows } = await owner.query(
      `select unnest(setconfig) as setting from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
       where datname = current_database() and setrole <> 0 order by 1`,
    )
    expect(rows.map(({ setting }) => setting)).to.deep.equal(['lock_timeout=30s', 'work_mem=8MB'])
  })
})
