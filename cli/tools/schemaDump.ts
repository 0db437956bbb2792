import pg from 'pg'
import { migrate } from '../../api/platform/db/migrate.ts'
import { schema } from '../../api/schema.ts'
import { startTestServer } from '../stack/postgres/testServer.ts'
import { tableTypes } from './tableTypes.ts'

// The schemas that our migrations create, without those of the job queue and of the sandbox's clock.
const SCHEMAS = ['market', 'ledger', 'facilitator', 'limits']

const TABLES = `
  select format(E'create %stable %I.%I (\\n%s\\n)%s;', case relpersistence when 'u' then 'unlogged ' else '' end, nspname,
    relname, string_agg(line, E',\\n' order by rank, place, line),
    coalesce(' partition by ' || pg_get_partkeydef(relation.oid), ' with (' || array_to_string(reloptions, ', ') || ')'))
  from pg_class relation join pg_namespace schema on schema.oid = relnamespace
  cross join lateral (
    select 0 as rank, attnum as place, format('  %I %s', attname, format_type(atttypid, atttypmod))
      || case when attstorage <> typstorage then
        ' storage ' || case attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end
        else '' end
      || case when attidentity <> '' then ' generated always as identity' else '' end
      || coalesce(case when attgenerated = 's' then ' generated always as (' || pg_get_expr(adbin, adrelid) || ') stored'
        else ' default ' || pg_get_expr(adbin, adrelid) end, '')
      || case when attnotnull then ' not null' else '' end
      || coalesce(' /* statistics ' || attstattarget || ' */', '') as line
    from pg_attribute column_ join pg_type on pg_type.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = relation.oid and attnum > 0 and not attisdropped
    union all
    select 1, 0, format('  constraint %I %s', conname, pg_get_constraintdef(oid))
    from pg_constraint where conrelid = relation.oid and contype <> 'n'
  ) part
  where relkind in ('r', 'p') and nspname = any ($1)
  group by relation.oid, nspname, relname, relpersistence, reloptions order by nspname, relname`

const DOMAINS = `
  select format('create domain %I.%I as %s%s;', nspname, typname, format_type(typbasetype, typtypmod),
    (select string_agg(format(' constraint %I %s', conname, pg_get_constraintdef(oid)), '' order by conname)
      from pg_constraint where contypid = pg_type.oid))
  from pg_type join pg_namespace schema on schema.oid = typnamespace
  where typtype = 'd' and nspname = any ($1) order by nspname, typname`

const INDEXES = `
  select pg_get_indexdef(indexrelid) || ';'
  from pg_index join pg_class relation on relation.oid = indexrelid join pg_namespace schema on schema.oid = relnamespace
  where nspname = any ($1) and not exists (select from pg_constraint where conindid = indexrelid) order by nspname, relname`

const FUNCTIONS = `
  select rtrim(pg_get_functiondef(pg_proc.oid), E'\\n') || ';'
  from pg_proc join pg_namespace schema on schema.oid = pronamespace
  where nspname = any ($1) order by nspname, proname, pg_get_function_identity_arguments(pg_proc.oid)`

const VIEWS = `
  select format(E'create view %I.%I as\\n%s', nspname, relname, pg_get_viewdef(relation.oid, true))
  from pg_class relation join pg_namespace schema on schema.oid = relnamespace
  where relkind in ('v', 'm') and nspname = any ($1) order by nspname, relname`

const TRIGGERS = `
  select pg_get_triggerdef(pg_trigger.oid, true) || ';'
  from pg_trigger join pg_class relation on relation.oid = tgrelid join pg_namespace schema on schema.oid = relnamespace
  where not tgisinternal and nspname = any ($1) order by nspname, relname, tgname`

const GRANTS = `
  select format('grant %s on %s to %s;', string_agg(lower(privilege), ', ' order by privilege), object, grantee) from (
    select 'schema ' || nspname as object, nspowner as owner, nspacl as acl from pg_namespace where nspname = any ($1)
    union all
    select format('%I.%I', nspname, relname), relowner, relacl
      from pg_class join pg_namespace schema on schema.oid = relnamespace where nspname = any ($1)
    union all
    select 'function ' || pg_proc.oid::regprocedure, proowner, coalesce(proacl, acldefault('f', proowner))
      from pg_proc join pg_namespace schema on schema.oid = pronamespace where nspname = any ($1)
  ) granted cross join lateral (
    select privilege_type as privilege, case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as grantee
    from aclexplode(acl) where grantee <> owner) held
  group by object, grantee order by object, grantee`

const LISTS = {
  AccountKind: 'select kind from ledger.account_kinds order by 1',
  OwnerType: 'select distinct unnest(owner_types) from ledger.account_kinds order by 1',
}

/** The generated files that depend on the schema. */
export interface SchemaFiles {
  /**
   * The schema as SQL to read and compare: tables with their constraints, indexes, functions, triggers, and each role's
   * grants. The same schema gives the same text.
   */
  dump: string
  /** TypeScript: the kinds of account and of their owners. */
  accountKinds: string
  /** TypeScript: the tables and views, as Kysely's types. */
  tables: string
}

/** Migrates an empty database on its own server, and reads its catalogue. */
export async function readSchema(): Promise<SchemaFiles> {
  const databaseUrl = await startTestServer()
  await migrate(databaseUrl, schema)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return {
      dump: await dumpOf(client),
      accountKinds: await accountKindsOf(client),
      tables: await tableTypes(client, SCHEMAS),
    }
  } finally {
    await client.end()
  }
}

async function dumpOf(client: pg.Client): Promise<string> {
  const sections = ['-- Generated by `./market generate` from a migrated database: read it, do not edit it.']
  for (const query of [DOMAINS, TABLES, INDEXES, VIEWS, FUNCTIONS, TRIGGERS, GRANTS]) {
    const { rows } = await client.query<[string]>({ text: query, values: [SCHEMAS], rowMode: 'array' })
    const separator = query === TABLES || query === FUNCTIONS || query === VIEWS ? '\n\n' : '\n'
    if (rows.length > 0) sections.push(rows.flat().join(separator))
  }
  return `${sections.join('\n\n')}\n`
}

async function accountKindsOf(client: pg.Client): Promise<string> {
  const types = ['// Generated by `./market generate` from ledger.account_kinds.']
  for (const [name, query] of Object.entries(LISTS)) {
    const { rows } = await client.query<[string]>({ text: query, rowMode: 'array' })
    const values = rows.flat().map((value) => `'${value}'`)
    types.push(`export type ${name} = ${values.join(' | ')}`)
  }
  return types.join('\n\n')
}
