import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { ensureRoles } from '../../../../api/platform/db/roles.ts'
import { ROOT } from '../../../../cli/machine/paths.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'
import { startIndexDatabase, type TestIndex } from '../../../kit/stack/indexDatabase.ts'

const [FORBIDDEN, CHECK_VIOLATION] = ['42501', '23514']
/**
 * All that API and worker may delete: what people throw away, what ends with an account or an org, and what
 * is kept for a time.
 */
const DELETABLE = `
  agent_keys agent_tickets attachment_versions attachments blob_removals comments confirmations contributions decisions deliveries
  delivery_checks disclosures email_confirmations email_invitations enrolments entries erasure_requests evidence_files export_chunks exports
  file_texts files idempotent_answers imports notification_mails notification_prefs notification_sends notifications
  org_invitations org_members orgs page_aliases page_links page_presence page_versions pages passkey_challenges passkeys pictures previews
  push_subscriptions rating_replies search_documents search_words secrets sessions space_members spaces
  sweep_checkpoints task_files tasks uploads views wallet_challenges webhook_deliveries
  webhook_subscriptions`
  .trim()
  .split(/\s+/)
  .map((name) => `market.${name}`)

/** What is written once, and never updated by API and worker. */
const WRITTEN_ONCE = [
  ...[
    'acceptances',
    'act_readers',
    'agent_keys',
    'audit_accounts',
    'audit_archives',
    'audit_emptied',
    'audit_heads',
    'audit_log',
    'audit_seals',
    'audit_turn',
    'audit_unsealed',
  ],
  ...[
    'delivery_notices',
    'delivery_notifications',
    'deposits',
    'disclosures',
    'dispute_evidence',
    'dispute_records',
    'erasure_requests',
    'event_epochs',
    'event_log',
    'events',
  ],
  ...[
    'evidence_files',
    'fee_rates',
    'hostile_texts',
    'hourly_totals',
    'liabilities',
    'liability_leaves',
    'liability_nodes',
    'placed_acts',
    'reconciliations',
    'signing_keys',
  ],
  ...['threads', 'totals_progress', 'unplaced_acts', 'verdicts', 'wallet_owners'],
].map((name) => `market.${name}`)

const HIGHEST_BLOCK = 2n ** 53n - 1n
/** The highest value of columns whose lowest is 0, and the columns that are hashes. */
const BOUNDED: Readonly<Record<string, Readonly<Record<string, bigint | 'any' | 'hash'>>>> = {
  processed_chain_events: {
    block_number: HIGHEST_BLOCK,
    block_hash: 'hash',
    tx_hash: 'hash',
    log_index: 'any',
    times_vanished: 1_000_000n,
  },
  chain_progress: { block_number: HIGHEST_BLOCK, block_hash: 'hash', pass: HIGHEST_BLOCK },
  sweep_checkpoints: { block_number: HIGHEST_BLOCK, block_hash: 'hash' },
  liabilities: { block_number: HIGHEST_BLOCK },
  hot_wallet: { block_number: HIGHEST_BLOCK },
  email_invitations: { attempts: 10_000n },
  webhook_deliveries: { attempts: 10_000n },
  email_confirmations: { attempts: 10_000n },
  notification_sends: { attempts: 10_000n },
  imports: { attempts: 1_000_000n },
  arbitrations: { attempts: 1_000_000n },
  delivery_checks: { attempts: 1_000_000n },
  files: { attempts: 1_000_000n, scans: 1_000_000n },
}

/** Values of a column, and what becomes of an attempt to write each. */
function aroundBounds(bound: bigint | 'any' | 'hash'): (readonly [value: string, outcome: string])[] {
  const taken = (value: string) => [value, 'done'] as const
  const refused = (value: string) => [value, CHECK_VIOLATION] as const
  if (bound === 'hash') {
    const others = [`''`, `'0x'`, `'0x' || repeat('a', 63)`, `'0x' || repeat('a', 65)`, `'0x' || repeat('A', 64)`]
    return [taken(`'0x' || repeat('a', 64)`), ...others.map(refused)]
  }
  const lowest = [refused('-1'), taken('0')]
  return bound === 'any' ? lowest : [...lowest, taken(`${bound}`), refused(`${bound + 1n}`)]
}

describe('a stolen login to the database', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let index: TestIndex
  let owner: pg.Client
  let api: pg.Client
  let worker: pg.Client
  let indexer: pg.Client
  let reader: pg.Client

  const attempt = (role: pg.Client, act: string) =>
    role.query(act).then(
      () => 'done',
      (error: pg.DatabaseError) => error.code,
    )
  const allForbidden = async (role: pg.Client, acts: readonly string[]) => {
    for (const act of acts) expect(await attempt(role, act), act).to.equal(FORBIDDEN)
  }
  const tables = async (...schemas: string[]) => {
    const { rows } = await owner.query<{ name: string; columns: string[] }>(
      `select format('%I.%I', table_schema, table_name) as name, array_agg(quote_ident(column_name)) as columns
       from information_schema.columns where table_schema = any ($1) group by 1 order by 1`,
      [schemas],
    )
    expect(rows.length).to.be.above(3)
    return rows
  }
  /** A table with the checks of columns of another one, and nothing else. */
  const copyChecks = async (table: string, columns: readonly string[]) => {
    const probe = `pg_temp.probe_${table}`
    await owner.query(`create temp table probe_${table} (like market.${table} including constraints)`)
    const { rows } = await owner.query<{ change: string }>(
      `select format('alter %I drop not null', attname) as change from pg_attribute
         where attrelid = $1::regclass and attnotnull and attnum > 0
       union all
       select format('drop constraint %I', conname) from pg_constraint where conrelid = $1::regclass and contype = 'c'
         and not conkey && array(select attnum from pg_attribute where attrelid = $1::regclass and attname = any ($2))`,
      [probe, columns],
    )
    for (const { change } of rows) await owner.query(`alter table ${probe} ${change}`)
    return probe
  }
  const writesOf = ({ name, columns }: { name: string; columns: string[] }) => [
    `insert into ${name} default values`,
    ...columns.map((column) => `update ${name} set ${column} = default`),
    `delete from ${name}`,
    `truncate ${name}`,
  ]
  /** What would change the rules that the database keeps. */
  const definitions = async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select quote_ident(nspname) as name from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema'`,
    )
    return rows.flatMap(({ name }) => [
      `create table ${name}.mine (id int)`,
      `create function ${name}.mine() returns int language sql as 'select 1'`,
      `create or replace function ${name}.now() returns timestamptz language sql as 'select clock_timestamp()'`,
    ])
  }
  const connect = async (url: string) => {
    const client = new pg.Client(url)
    await client.connect()
    return client
  }

  before(async () => {
    ;[database, index] = [await startDatabase(), await startIndexDatabase()]
    owner = await connect(database.url)
    api = await connect(database.roleUrls.api)
    worker = await connect(database.roleUrls.worker)
    indexer = await connect(index.indexUrls.indexer)
    reader = await connect(index.indexUrls.reader)
  })

  after(async () => {
    for (const client of [owner, api, worker, indexer, reader]) await client?.end()
    await index?.stop()
    await database?.stop()
  })

  describe('of the API, and in all else of the worker', () => {
    test('deletes nothing that the facilitator wrote down, and adds nothing to it [risk market-api api-process API8]', async () => {
      for (const table of await tables('facilitator')) await allForbidden(api, writesOf(table))
    })

    test('reads of the facilitator whether it lives, how intents ended, and how much gas was spent', async () => {
      for (const readable of ['* from facilitator.heartbeat', '* from facilitator.outcomes'])
        expect(await attempt(api, `select ${readable}`)).to.equal('done')
      expect(await attempt(api, 'select sum(charged_wei) from facilitator.transactions')).to.equal('done')
      await allForbidden(api, [
        'select raw from facilitator.transactions',
        'select signature from facilitator.authorizations',
        'select identity from facilitator.identities',
      ])
    })

    test('writes no table of the ledger, and changes no entry that was posted', async () => {
      for (const table of await tables('ledger')) await allForbidden(api, writesOf(table))
      await allForbidden(api, [
        `update ledger.entries set amount = amount + 1000000`,
        `update ledger.accounts set balance = 1000000 where kind = 'payable'`,
        `begin; set local ledger.is_posting = 'on'; insert into ledger.entries (transfer_id, account_id, amount) values (1, 1, 1)`,
      ])
      await api.query('rollback')
    })

    test('posts to the ledger by its function alone, which takes no transfer that does not balance', async () => {
      const post = (payable: number) =>
        attempt(
          api,
          `select ledger.post_transfers('[{"key": "test", "kind": "test", "asset": "test", "evidence": {}, "legs": [
            {"kind": "hot_wallet", "owner_type": "address", "owner_id": "0x${'1'.repeat(40)}", "amount": -5},
            {"kind": "payable", "owner_type": "human", "owner_id": "00000000-0000-0000-0000-000000000002", "amount": ${payable}}]}]')`,
        )
      expect(await post(6)).to.equal('23000')
      expect(await post(5)).to.equal('done')
    })

    test('defines nothing, removes no guard, and becomes nobody else', async () => {
      await allForbidden(api, [
        ...(await definitions()),
        'create schema mine',
        'create role mine',
        'drop table market.orders',
        'drop trigger entries_immutable on ledger.entries',
        'alter table market.events disable trigger all',
        'alter function ledger.post_transfers(jsonb) reset all',
        'create trigger mine before insert on market.orders execute function market.refuse_change()',
        'set session_replication_role = replica',
        'set role market_facilitator',
        'set role market_indexer',
        `copy market.tokens to program 'cat'`,
        `select pg_read_file('/etc/hostname')`,
      ])
    })

    test('deletes no record of money, nor of who did what', async () => {
      const { rows } = await owner.query<{ name: string; may: boolean }>(
        `select format('%s.%I', schemaname, tablename) as name,
           has_table_privilege('market_api', format('%I.%I', schemaname, tablename), 'delete') as may
         from pg_tables where schemaname in ('market', 'ledger', 'facilitator') order by 1`,
      )
      expect(rows.filter(({ may }) => may).map(({ name }) => name)).to.deep.equal(DELETABLE)
      for (const { name } of rows.filter(({ may }) => !may)) await allForbidden(api, [`delete from ${name}`])
      await allForbidden(
        api,
        rows.map(({ name }) => `truncate ${name}`),
      )
    })

    test('changes no row of what is written once, and makes nobody an operator', async () => {
      const { rows } = await owner.query<{ name: string }>(
        `select format('%s.%I', schemaname, tablename) as name from pg_tables
         where schemaname = 'market' and not has_any_column_privilege('market_api', format('%I.%I', schemaname, tablename), 'update')
         order by 1`,
      )
      expect(rows.map(({ name }) => name)).to.deep.equal(WRITTEN_ONCE)
      await allForbidden(api, [
        ...['role', 'is_reviewer', 'person_id', 'erased_at'].map(
          (column) => `update market.humans set ${column} = default`,
        ),
        `insert into market.humans (id, display_name, email, role) values (gen_random_uuid(), '', '', 'operator')`,
        `insert into market.humans (id, display_name, email, is_reviewer) values (gen_random_uuid(), '', '', true)`,
        'insert into market.fee_rates (starts_at, fee_bps) values (now(), 0)',
      ])
    })

    test('adds no block, hash or count of attempts that no process writes: one such row would stop its job', async () => {
      for (const [table, columns] of Object.entries(BOUNDED)) {
        const probe = await copyChecks(table, Object.keys(columns))
        for (const [column, bound] of Object.entries(columns)) {
          for (const [value, outcome] of aroundBounds(bound)) {
            const added = await attempt(owner, `insert into ${probe} (${column}) values (${value})`)
            expect(added, `${table}.${column} ${value}`).to.equal(outcome)
          }
        }
        await owner.query(`drop table ${probe}`)
      }
    })

    test('touches nothing in the queue of jobs as the API, and no record of its migrations as the worker', async () => {
      for (const table of await tables('bullmq'))
        await allForbidden(api, [`select from ${table.name}`, ...writesOf(table)])
      const ledger = (await tables('bullmq')).filter(({ name }) => /migration|relay/.test(name))
      expect(ledger.map(({ name }) => name)).to.include('bullmq.migration')
      await allForbidden(worker, ledger.flatMap(writesOf))
    })

    test('says nothing about the books that the reconciler has not found', async () => {
      const allIsWell = `insert into market.reconciliations (database_epoch, block_number, block_hash, lag_blocks, lag_seconds, is_ok,
          figures, findings, shortages, log_epoch, log_place, below, account_cursor, swept_at, seal)
        values (market.database_epoch(), 9, '0x', 0, 0, true, '{}', '[]', '{}', '7', 0, '{}', 0, now(), '')`
      await allForbidden(api, [
        allIsWell,
        'update market.reconciliations set is_ok = true',
        'delete from market.reconciliations',
        'select market.remove_reconciliations()',
        `select ledger.record_digests(array[1::bigint], array['a'::bytea])`,
      ])
      expect(await attempt(worker, `begin; ${allIsWell}; rollback`)).to.equal('done')
    })

    test('has what is kept for a time removed only when that has passed, and no wallet that is paid to', async () => {
      const [human, paid, spare, address] = [1, 2, 3, 4].map((n) => `00000000-0000-0000-0000-00000000000${n}`)
      const wallet = `0x${'0'.repeat(40)}`
      await owner.query(`
        insert into market.humans (id, display_name, email, person_id) values ('${human}', '', '', '${human}');
        insert into market.wallet_owners (address, owner_id) values ('${wallet}', '${human}');
        insert into market.wallets (id, account_id, owner_id, address, message, signature, payout_from)
          values ('${paid}', '${human}', '${human}', '${wallet}', '', '', '2000-01-01'), ('${spare}', '${address}', '${human}', '${wallet}', '', '', null);
        insert into market.reconciliations (checked_at, database_epoch, block_number, block_hash, lag_blocks, lag_seconds, is_ok,
            figures, findings, shortages, log_epoch, log_place, below, account_cursor, swept_at, seal)
          select now() - hours * interval '1 hour', '', hours, '', 0, 0, true, '{}', '[]', '{}', '7', 0, '{}', 0, now(), hours
          from unnest(array[1, 4, 2]) hours;
        insert into market.liabilities (block_number, document, key_id, signature) values (1, '{}', '', ''), (2, '{}', '', '');
        insert into market.liability_leaves (block_number, account_id, position, amount, salt) values (1, 1, 0, 1, ''), (2, 1, 0, 1, '');
        insert into market.fee_rates (starts_at, fee_bps) values ('2000-01-01', 500), (now() + interval '1 day', 900)`)
      for (const id of [paid, spare]) await api.query('select market.remove_wallet($1)', [id])
      await worker.query('select market.remove_reconciliations()')
      await api.query('select market.remove_liability_trees(-5)')
      await api.query(`select market.keep_fee_rates('{1999-01-01, 2000-01-01, 2999-01-01}', '{1, 1, 600}')`)
      const of = async (statement: string) => (await owner.query({ text: statement, rowMode: 'array' })).rows.flat()
      expect(await of('select id from market.wallets')).to.deep.equal([paid])
      expect(await of('select block_number::integer from market.reconciliations order by 1')).to.deep.equal([1, 2])
      expect(await of('select block_number::integer from market.liability_leaves')).to.deep.equal([2])
      expect(await of('select fee_bps from market.fee_rates order by starts_at')).to.deep.equal([500, 600])
    })
  })

  test('of API or worker locks no table that the facilitator reads, and the facilitator’s login locks no table at all [risk market-api]', async () => {
    const facilitator = await connect(database.roleUrls.facilitator)
    const { rows } = await owner.query<{ name: string; is_read: boolean }>(
      `select oid::regclass::text as name, has_any_column_privilege('market_facilitator', oid, 'select') as is_read
       from pg_class where relkind in ('r', 'p', 'v') and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
       order by 1`,
    )
    const read = rows.filter(({ is_read }) => is_read)
    expect(read.map(({ name }) => name)).to.include.members([
      'market.intents',
      'market.payout_stops',
      'market.appeal_fees',
    ])
    const locks = (tables: typeof rows) =>
      tables.flatMap(({ name }) =>
        // Two statements are one transaction, outside which no lock is taken.
        ['share update exclusive', 'exclusive', 'access exclusive'].map(
          (mode) => `select 1; lock table ${name} in ${mode} mode`,
        ),
      )
    for (const role of [api, worker]) await allForbidden(role, locks(read))
    await allForbidden(facilitator, locks(rows))
    await facilitator.end()
  })

  test('calls only functions as the owner that docs/security.md lists, each with the logins that may', async () => {
    const { rows } = await owner.query<{ name: string; logins: string[] }>(
      `select oid::regproc::text as name, array_agg(login order by login) as logins
       from pg_proc cross join unnest(array['market_api', 'market_facilitator', 'market_worker']) login
       where prosecdef and prorettype <> 'trigger'::regtype and has_function_privilege(login, oid, 'execute')
       group by oid order by 1`,
    )
    const page = readFileSync(`${ROOT}docs/security.md`, 'utf8')
    const listed = [...page.matchAll(/^\| `(\w+\.\w+)` \| ([^|]+) \|/gm)].map(([, name, logins = '']) => ({
      name,
      logins: [...logins.matchAll(/`(\w+)`/g)].map(([, login]) => login).toSorted(),
    }))
    expect(listed.toSorted((a, b) => String(a.name).localeCompare(String(b.name)))).to.deep.equal(
      rows.toSorted((a, b) => a.name.localeCompare(b.name)),
    )
  })

  /** Tries a login at another database than its own. */
  const connectsTo = (login: string, url: string) => {
    const place = new URL(login)
    place.pathname = new URL(url).pathname
    return connect(place.href).then(
      async (client) => {
        await client.end()
        return 'connected'
      },
      (error: pg.DatabaseError) => error.code,
    )
  }

  describe('of the indexer, or of the index’s readers', () => {
    test('makes schemas as the indexer, which readers may read and not write [risk index-reader]', async () => {
      await indexer.query(
        'create schema chain; create table chain.rows as select 7 as id; create view chain.holds as select * from chain.rows',
      )
      expect((await reader.query('select id from chain.holds')).rows).to.deep.equal([{ id: 7 }])
      await allForbidden(reader, [
        ...['delete from chain.rows', 'create table chain.mine (id int)', 'create schema mine'],
        ...['create temporary table mine (id int)', 'set role market_indexer', 'create role mine'],
      ])
    })

    test('has readers run what the indexer made, as a role that may do nothing else', async () => {
      await indexer.query(`create function chain.me() returns text language sql as 'select current_user::text'`)
      await indexer.query('create view chain.withdrawals as select chain.me() as me')
      expect((await reader.query('select me from chain.withdrawals')).rows).to.deep.equal([
        { me: 'market_index_reader' },
      ])
      await allForbidden(indexer, ['set role market_index_reader', 'set role market_api', 'create role mine'])
    })

    test('connects to no market, and nobody of the market to the index [risk market-indexer indexer-process]', async () => {
      const { api: apiUrl, facilitator } = database.roleUrls
      for (const login of Object.values(index.indexUrls)) {
        expect(await connectsTo(login, database.url)).to.equal(FORBIDDEN)
        expect(await connectsTo(login, index.url)).to.equal('connected')
      }
      for (const login of [apiUrl, facilitator]) {
        expect(await connectsTo(login, index.url)).to.equal(FORBIDDEN)
        expect(await connectsTo(login, database.url)).to.equal('connected')
      }
      await allForbidden(api, ['create temporary table mine (id int)'])
    })
  })

  test('waits, runs and stands still for a time that is its own, and that its owner may change', async () => {
    const timeoutsOf = async (login: pg.Client) => {
      const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
      const { rows } = await login.query<{ value: string }>(
        'select current_setting(name) as value from unnest($1::text[]) name',
        [names],
      )
      return rows.map(({ value }) => value)
    }
    expect(await timeoutsOf(api)).to.deep.equal(['20s', '10s', '20s'])
    expect(await timeoutsOf(worker)).to.deep.equal(['10min', '20s', '1min'])
    expect(await timeoutsOf(reader)).to.deep.equal(['10s', '5s', '20s'])
    const [name] = (await owner.query(`select quote_ident(current_database()) as name`)).rows
    await owner.query(`alter role market_facilitator in database ${name.name} set lock_timeout = '3s'`)
    await ensureRoles(owner, 'market')
    const facilitator = await connect(database.roleUrls.facilitator)
    expect(await timeoutsOf(facilitator)).to.deep.equal(['10s', '3s', '10s'])
    await facilitator.end()
  })

  test('of any process has no attribute, and no membership but that of the worker in the API’s [risk market-worker]', async () => {
    const { rows } = await owner.query(
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
         array(select roleid::regrole::text from pg_auth_members where member = pg_roles.oid) as member_of
       from pg_roles where rolname like 'market\\_%' order by 1`,
    )
    const none = {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    }
    expect(rows).to.deep.equal(
      ['market_api', 'market_facilitator', 'market_index_reader', 'market_indexer', 'market_worker'].map((rolname) => ({
        rolname,
        ...none,
        member_of: rolname === 'market_worker' ? ['market_api'] : [],
      })),
    )
  })
})
