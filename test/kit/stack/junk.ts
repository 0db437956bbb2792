import type pg from 'pg'

/** A column that a login may write: its type, and what else a copied row needs. */
interface Column {
  name: string
  type: string
  mayInsert: boolean
  mayUpdate: boolean
  isUnique: boolean
}

/** A table or function that a login may change something by. */
export interface Privilege {
  name: string
  columns: Column[]
  mayDelete: boolean
  /** The types of a function's parameters; undefined for a table. */
  parameters?: string[]
}

/** How many statements of a login the database took, for each table and function. */
export type Taken = Map<string, { tried: number; taken: number }>

/** Extremes of each type, as SQL. */
const EXTREMES: Record<string, readonly string[]> = {
  text: [`''`, `'x'`, `repeat('y', 100000)`, `E'\\u202e\\u0001'`],
  int2: ['-32768', '-1', '0', '32767'],
  int4: ['-2147483648', '-1', '0', '2147483647'],
  int8: ['-9223372036854775808', '-1', '0', '9223372036854775807'],
  numeric: [`'NaN'`, `'-Infinity'`, '-1', '0', `'Infinity'`],
  float8: [`'NaN'`, `'-Infinity'`, '-1', '0', `'Infinity'`],
  bool: ['true', 'false'],
  uuid: [`'00000000-0000-0000-0000-000000000000'`, `'ffffffff-ffff-ffff-ffff-ffffffffffff'`, 'gen_random_uuid()'],
  timestamptz: [`'-infinity'`, `'4713-01-01 BC'`, `'294276-12-31'`, `'infinity'`],
  date: [`'-infinity'`, `'infinity'`],
  interval: [`'-1 year'`, `'178000000 years'`],
  jsonb: [`'null'`, `'{}'`, `'[]'`, `'"x"'`, `'{"kind": "x", "amount": "-1"}'`],
  json: [`'null'`, `'{}'`, `'[]'`],
  bytea: [`''`, `'\\x00'`, `decode(repeat('ff', 10000), 'hex')`],
  traceparent: [`'x'`, `'00-${'1'.repeat(32)}-${'1'.repeat(16)}-01'`],
}

/** Returns all tables and functions that a login may change something by, as the database says. */
export async function privilegesOf(owner: pg.Client | pg.Pool, login: string): Promise<Privilege[]> {
  const { rows } = await owner.query<{
    name: string
    columns: Column[] | null
    may_delete: boolean
    parameters: string[] | null
  }>(
    `with ours as (
       select oid from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema'
         and has_schema_privilege($1, oid, 'usage'))
     select format('%I.%I', relnamespace::regnamespace, relname) as name, has_table_privilege($1, class.oid, 'delete') as may_delete,
       null::text[] as parameters, (
         select json_agg(json_build_object(
           'name', quote_ident(attname), 'type', typname, 'isUnique', exists (
             select from pg_index where indrelid = class.oid and indisunique and attnum = any (indkey)),
           'mayInsert', has_column_privilege($1, class.oid, attnum, 'insert') and attgenerated = '' and attidentity <> 'a',
           'mayUpdate', has_column_privilege($1, class.oid, attnum, 'update') and attgenerated = '' and attidentity <> 'a') order by attnum)
         from pg_attribute join pg_type on pg_type.oid = atttypid
         where attrelid = class.oid and attnum > 0 and not attisdropped) as columns
     from pg_class class
     where relnamespace in (select oid from ours) and relkind in ('r', 'p', 'v') and not relispartition
       and (has_any_column_privilege($1, class.oid, 'insert, update') or has_table_privilege($1, class.oid, 'delete, truncate'))
     union all
     select format('%I.%I(%s)', pronamespace::regnamespace, proname, pg_get_function_identity_arguments(function.oid)), false,
       array(select format_type(parameter, null) from unnest(proargtypes) parameter), null
     from pg_proc function
     where pronamespace in (select oid from ours) and prokind in ('f', 'p') and prorettype <> 'trigger'::regtype
       and has_function_privilege($1, function.oid, 'execute')
       and not exists (select from pg_depend where objid = function.oid and deptype = 'e')
     order by 1`,
    [login],
  )
  return rows.map(({ name, columns, may_delete, parameters }) => ({
    ...{ name, columns: columns ?? [], mayDelete: may_delete },
    ...(parameters ? { parameters } : {}),
  }))
}

/** Does with a login whatever it may: adds, changes and deletes rows, and calls functions, all with extremes of each type. */
export async function fillWithJunk(login: pg.Client, privileges: readonly Privilege[]): Promise<Taken> {
  const taken: Taken = new Map()
  for (const privilege of privileges) {
    const count = { tried: 0, taken: 0 }
    for (const statement of privilege.parameters ? callsOf(privilege) : actsOn(privilege)) {
      count.tried++
      const done = await login.query(statement).then(
        ({ rowCount }) => privilege.parameters !== undefined || (rowCount ?? 0) > 0,
        () => false,
      )
      if (done) count.taken++
    }
    taken.set(privilege.name, count)
  }
  return taken
}

function extremesOf(type: string): readonly string[] {
  const known = EXTREMES[type] ?? EXTREMES[ALIASES[type] ?? '']
  if (known) return [...known, 'null']
  return type.startsWith('_') || type.endsWith('[]') ? [`'{}'`, `'{null}'`, 'null'] : [`''`, 'null']
}

const ALIASES: Record<string, string> = {
  ...{ bigint: 'int8', integer: 'int4', smallint: 'int2', boolean: 'bool', 'double precision': 'float8' },
  'timestamp with time zone': 'timestamptz',
}

/** Rows that copy one there is but for one junk column, rows of junk alone, and rows that are changed to junk. */
function* actsOn({ name, columns, mayDelete }: Privilege): Generator<string> {
  const insertable = columns.filter(({ mayInsert }) => mayInsert)
  const list = insertable.map((column) => column.name).join(', ')
  const fresh = ({ name: column, type, isUnique }: Column) => {
    if (!isUnique) return column
    if (type === 'int8' || type === 'int4') return `(select max(${column}) + 1 from ${name})`
    // Text of the same form, as of a hash.
    if (type === 'text') return `left(${column}, -8) || left(md5(random()::text), 8)`
    return type === 'uuid' ? 'gen_random_uuid()' : column
  }
  for (const junk of insertable) {
    for (const value of extremesOf(junk.type)) {
      const copied = insertable.map((column) => (column === junk ? value : fresh(column))).join(', ')
      const kept = insertable.map((column) => (column === junk ? value : column.name)).join(', ')
      yield `insert into ${name} (${list}) select ${copied} from ${name} limit 1`
      yield `insert into ${name} (${list}) select ${kept} from ${name} limit 1 on conflict do nothing`
      yield `insert into ${name} (${junk.name}) values (${value})`
    }
  }
  for (const place of insertable.length > 0 ? [0, 1, 2, 3] : []) {
    const row = insertable.map(({ type }) => extremesOf(type).at(place) ?? 'null').join(', ')
    yield `insert into ${name} (${list}) values (${row})`
  }
  for (const { name: column, type, mayUpdate } of columns)
    for (const value of mayUpdate ? extremesOf(type) : []) yield `update ${name} set ${column} = ${value}`
  if (mayDelete) yield `delete from ${name}`
}

function* callsOf({ name, parameters = [] }: Privilege): Generator<string> {
  const called = name.slice(0, name.indexOf('('))
  for (const place of [0, 1, 2, 3, 4]) {
    const given = parameters.map((type) => `${extremesOf(type).at(place) ?? 'null'}::${type}`).join(', ')
    yield `select ${called}(${given})`
  }
}
