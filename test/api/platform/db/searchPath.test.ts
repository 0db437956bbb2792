import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import pg from 'pg'
import { migrate } from '../../../../api/platform/db/migrate.ts'
import { openPool, queryable } from '../../../../api/platform/db/pool.ts'
import { schema } from '../../../../api/schema.ts'
import { ROOT } from '../../../../cli/machine/paths.ts'
import { requireEmptySearchPath } from '../../../../protocol/environment/databaseFaults.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'

/**
 * Our functions: those in any schema but the server's own and the job queue's, without those of extensions.
 */
const OURS = `
  select oid::regprocedure::text as name, prorettype = 'trigger'::regtype as is_trigger,
    prosqlbody is not null or 'search_path=pg_catalog, pg_temp' = any (proconfig) as is_bound,
    array(select format_type(argument, null) from unnest(proargtypes::oid[]) with ordinality given (argument, place)
      order by place) as arguments
  from pg_proc
  where prokind = 'f' and not starts_with(proowner::regrole::text, 'maker_') and pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'bullmq', 'shadow')
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
  order by 1`

/**
 * Does what the attack does: makes a schema of functions and operators with names and types of the server's
 * own, of those that our functions use. Each fails.
 */
const SHADOW = `
  create schema shadow;
  do $do$
  declare
    shadowed record;
    failing constant text := 'language plpgsql as $$ begin raise exception ''shadowed''; end $$';
  begin
    for shadowed in
      select proname, pg_get_function_identity_arguments(oid) as arguments, format_type(prorettype, null) as result
      from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and not proretset
        and proname in (
          select name[1] from pg_proc ours, regexp_matches(pg_get_functiondef(ours.oid), '(\\w+)\\(', 'g') name
          where ours.pronamespace::regnamespace::text in ('market', 'ledger', 'facilitator', 'limits') and ours.prokind = 'f')
        and not exists (
          select from unnest(proargtypes::oid[] || prorettype) used join pg_type on pg_type.oid = used where typtype = 'p')
    loop
      execute format('create function shadow.%I(%s) returns %s ', shadowed.proname, shadowed.arguments, shadowed.result) || failing;
    end loop;
    for shadowed in
      select oprname as name, oprleft::regtype as l, oprright::regtype as r, oprresult::regtype as result
      from pg_operator, unnest(array['text', 'bigint', 'integer', 'uuid', 'jsonb', 'timestamptz', 'numeric']::regtype[]) l,
        unnest(array['text', 'bigint', 'integer', 'uuid', 'jsonb', 'timestamptz', 'numeric', 'interval']::regtype[]) r
      where oprnamespace = 'pg_catalog'::regnamespace and oprleft = l and oprright = r
    loop
      execute format('create function shadow.%I(%s, %s) returns %s ', 'operator ' || shadowed.name, shadowed.l, shadowed.r,
        shadowed.result) || failing;
      execute format('create operator shadow.%s (function = shadow.%I, leftarg = %s, rightarg = %s)', shadowed.name,
        'operator ' || shadowed.name, shadowed.l, shadowed.r);
    end loop;
  end $do$`

/** A value of each type that a function of ours takes, such that it does something. */
const VALUES: Record<string, string> = {
  text: `'x'`,
  jsonb: `'[{"key": "x", "kind": "x", "asset": "x", "evidence": {}, "legs": [
    {"kind": "hot_wallet", "owner_type": "address", "owner_id": "0x1", "amount": -5},
    {"kind": "payable", "owner_type": "human", "owner_id": "2", "amount": 5}]}]'`,
  uuid: `'00000000-0000-0000-0000-000000000001'`,
  'timestamp with time zone': `'2026-01-01'`,
  'time without time zone': `'12:00'`,
}

describe('the search path', { timeout: 120_000 }, () => {
  let database: TestDatabase
  let owner: pg.Client
  // Roles belong to the server, which other tests use too.
  const maker = `maker_${randomUUID().replaceAll('-', '')}`

  const failure = (given: Promise<unknown>) =>
    given.then(
      () => 'done',
      (error: Error) => error.message,
    )
  const within = async <Result>(url: string, use: (client: pg.Client) => Promise<Result>) => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return await use(client)
    } finally {
      await client.end()
    }
  }
  const pathOf = (url: string) =>
    within(
      url,
      async (client) => (await client.query<{ search_path: string }>('show search_path')).rows[0]?.search_path,
    )
  const databaseName = () => owner.escapeIdentifier(new URL(database.url).pathname.slice(1))
  /** Makes a schema of a role's name, as a role that may make schemas can, with one function in it. */
  const makeTrap = async (schema: string, signature: string) => {
    await owner.query(`grant create on database ${databaseName()} to ${maker}`)
    await owner.query(`set role ${maker}`)
    await owner.query(`create schema ${schema}`)
    await owner.query(`grant usage on schema ${schema} to public`)
    await owner.query(`create function ${schema}.${signature} language plpgsql as
      $$ begin raise exception 'trapped as %', current_user; end $$`)
    await owner.query('reset role')
  }

  before(async () => {
    database = await startDatabase()
    owner = new pg.Client(database.url)
    await owner.connect()
    await owner.query(`create role ${maker}`)
  })

  after(async () => {
    await owner?.query(`drop owned by ${maker} cascade; drop role ${maker}`)
    await owner?.end()
    await database?.stop()
  })

  test('takes the facilitator to no schema of its name that somebody made [risk schema-maker]', async () => {
    await makeTrap('market_facilitator', 'concat_ws(text, bigint, integer, oid, oid) returns text')
    const asked = within(database.roleUrls.facilitator, (role) => role.query('select facilitator.current_identity()'))
    expect(await failure(asked)).to.equal('done')
  })

  test('takes no command of the owner to one, in a copy neither', async () => {
    await makeTrap(new URL(database.url).username, 'jsonb_build_object(text, text) returns jsonb')
    await within(database.url, async (client) => {
      await client.query('set session_replication_role = replica')
      await client.query(`insert into market.wallets (id, account_id, owner_id, address, message, signature, payout_from)
        values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '0x1', '', '', '-infinity')`)
    })
    await owner.query(`alter database ${databaseName()} reset search_path`)
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url }
    const restored = promisify(execFile)(process.execPath, [`${ROOT}cli/main.ts`, 'restored'], { env })
    expect(await failure(restored)).to.equal('done')
    for (const url of [database.url, ...Object.values(database.roleUrls)]) expect(await pathOf(url), url).to.equal('""')
  })

  test('of a caller changes no name in our functions', async () => {
    const { rows } = await owner.query<{ name: string; is_trigger: boolean; is_bound: boolean; arguments: string[] }>(
      OURS,
    )
    expect(rows.length).to.be.above(40)
    expect(rows.filter(({ is_bound: isBound }) => !isBound).map(({ name }) => name)).to.deep.equal([])
    await owner.query(SHADOW)
    await owner.query('set search_path = shadow, pg_catalog')
    expect(await failure(owner.query(`select concat(1 + 1)`))).to.equal('shadowed')
    for (const { name, arguments: types } of rows.filter(({ is_trigger: isTrigger }) => !isTrigger)) {
      const values = types.map(
        (type) => `${VALUES[type] ?? (type.endsWith('[]') ? `'{}'` : type.includes('.') ? 'null' : `'1'`)}::${type}`,
      )
      const call = `select * from ${name.replace(/\(.*$/s, '')}(${values.join(', ')})`
      expect(await failure(owner.query(call)), call).not.to.contain('shadowed')
    }
    const event = `insert into market.events (event_type, payload, visible_to) values ('x', '{}', '{}')`
    expect(await failure(owner.query(event))).to.equal('done')
    await owner.query(`set search_path = ''`)
  })

  test('of a role alone is refused by a process, and emptied by migrate', async () => {
    const start = async () => {
      const db = openPool(database.roleUrls.api, { max: 1, onError: () => {} })
      await requireEmptySearchPath(queryable(db)).finally(() => db.destroy())
    }
    expect(await failure(start())).to.equal('done')
    // In this database alone: the role is also that of other tests.
    await owner.query(`alter role market_api in database ${databaseName()} set search_path = public`)
    expect(await failure(start())).to.contain('must be empty')
    await migrate(database.url, schema)
    expect(await failure(start())).to.equal('done')
  })
})
