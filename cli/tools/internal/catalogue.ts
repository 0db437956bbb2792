import pg from 'pg'

// The schemas that our migrations create, without those of the job queue and of the sandbox's clock.
export const SCHEMAS = ['market', 'ledger', 'facilitator', 'limits']

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
  where relkind in ('r', 'p') and (nspname = any ($1) or nspname = 'partitions' and relname = 'plans')
  group by relation.oid, nspname, relname, relpersistence, reloptions order by nspname, relname`

const DOMAINS = `
  select format('create domain %I.%I as %s%s;', nspname, typname, format_type(typbasetype, typtypmod),
    (select string_agg(format(' constraint %I %s', conname, pg_get_constraintdef(oid)), '' order by conname)
      from pg_constraint where contypid = pg_type.oid))
  from pg_type join pg_namespace schema on schema.oid = typnamespace
  where typtype = 'd' and nspname = any ($1) order by nspname, typname`

const SEQUENCES = `
  select format('create sequence %I.%I as %s start %s increment %s minvalue %s maxvalue %s%s;', schemaname, sequencename, data_type,
    start_value, increment_by, min_value, max_value, case when cycle then ' cycle' else '' end)
  from pg_sequences where schemaname = any ($1) order by schemaname, sequencename`

const INDEXES = `
  select pg_get_indexdef(indexrelid) || case when indisvalid then ';' else '; -- invalid' end
  from pg_index join pg_class relation on relation.oid = indexrelid join pg_namespace schema on schema.oid = relnamespace
  where nspname = any ($1) and not exists (select from pg_constraint where conindid = indexrelid) order by nspname, relname`

const FUNCTIONS = `
  select rtrim(pg_get_functiondef(pg_proc.oid), E'\\n') || ';'
  from pg_proc join pg_namespace schema on schema.oid = pronamespace
  where nspname = any ($1::text[] || 'partitions'::text) order by nspname, proname, pg_get_function_identity_arguments(pg_proc.oid)`

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
    union all
    select format('%I.%I (%I)', nspname, relname, attname), relowner, attacl
      from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace schema on schema.oid = relnamespace
      where nspname = any ($1) and attacl is not null
    union all
    select 'function ' || pg_proc.oid::regprocedure, proowner, coalesce(proacl, acldefault('f', proowner))
      from pg_proc join pg_namespace schema on schema.oid = pronamespace where nspname = 'partitions'
  ) granted cross join lateral (
    select privilege_type as privilege, case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as grantee
    from aclexplode(acl) where grantee <> owner) held
  group by object, grantee order by object, grantee`

const SEEDED = `
  select format('%I.%I', nspname, relname) as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
  from pg_class relation join pg_namespace schema on schema.oid = relnamespace
  join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
    and atttypid <> all ('{timestamptz,date,uuid,xid8}'::regtype[])
  where relkind in ('r', 'p') and (nspname = any ($1) or nspname = 'partitions' and relname = 'plans')
  group by nspname, relname order by 1`

/**
 * Returns all that makes a schema: its definitions, and, of a new database, the rows that the migrations
 * insert.
 */
export async function catalogueOf(databaseUrl: string, { rows = true } = {}): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await definitionsOf(client)) + (rows ? await rowsOf(client) : '')
  } finally {
    await client.end()
  }
}

/**
 * Returns the first line that two texts do not share, and where each has it; undefined if they are the same.
 */
export function firstDifference(migrated: string, wanted: string): string | undefined {
  const [found, expected] = [migrated.split('\n'), wanted.split('\n')]
  const place = found.findIndex((line, at) => line !== expected[at])
  if (place === -1 && found.length === expected.length) return undefined
  const at = place === -1 ? found.length : place
  const around = (lines: readonly string[]) => lines.slice(Math.max(0, at - 2), at + 3).join('\n')
  return `by the migrations:\n${around(found)}\nby the schema files:\n${around(expected)}`
}

/** Times and ids differ from one database to the next. */
async function rowsOf(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(SEEDED, [SCHEMAS])
  const parts: string[] = []
  for (const { name, columns } of tables) {
    const { rows } = await client.query<[string]>({
      text: `select jsonb_build_array(${columns})::text from ${name} order by 1`,
      rowMode: 'array',
    })
    if (rows.length > 0) parts.push(`-- ${name}`, ...rows.flat())
  }
  return parts.join('\n')
}

/** Returns the definitions of a database. */
async function definitionsOf(client: pg.Client): Promise<string> {
  const sections: string[] = []
  for (const query of [DOMAINS, SEQUENCES, TABLES, INDEXES, VIEWS, FUNCTIONS, TRIGGERS, GRANTS]) {
    const { rows } = await client.query<[string]>({ text: query, values: [SCHEMAS], rowMode: 'array' })
    const separator = query === TABLES || query === FUNCTIONS || query === VIEWS ? '\n\n' : '\n'
    if (rows.length > 0) sections.push(rows.flat().join(separator))
  }
  return `${sections.join('\n\n')}\n`
}
