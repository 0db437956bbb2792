import type pg from 'pg'

/** A column that a login may write: its type, and what else a row needs. */
export interface Column {
  name: string
  type: string
  mayInsert: boolean
  mayUpdate: boolean
  isUnique: boolean
  /** A row needs a value here. */
  isRequired: boolean
  /**
   * Values of rows that it may refer to, hexadecimal values as its checks demand, and values that they name,
   * as SQL.
   */
  references: string[]
  shaped: string[]
  named: string[]
}

/** A table or function that a login may change something by. */
export interface Privilege {
  name: string
  columns: Column[]
  mayDelete: boolean
  /** The types of a function's parameters; undefined for a table. */
  parameters?: string[]
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
           'isRequired', attnotnull and not atthasdef and attidentity = '', 'references', array(
             -- One that no row refers to yet, if there is one.
             select format('coalesce((select other.%1$I from %2$s other where not exists (select from %3$s mine where mine.%4$I = other.%1$I) limit 1),
                 (select %1$I from %2$s limit 1))', referred.attname, confrelid::regclass, class.oid::regclass, mine.attname)
               from pg_constraint join pg_attribute referred
                 on referred.attrelid = confrelid and referred.attnum = confkey[array_position(conkey, mine.attnum)]
               where conrelid = class.oid and contype = 'f' and mine.attnum = any (conkey)), 'shaped', array(
             select format('%L || repeat(''a'', %s)', part[2], coalesce(part[3], '2')) from pg_constraint,
                 regexp_matches(pg_get_constraintdef(oid), '(\\w+) ~ ''\\^(0x[0-9a-f]*)\\[0-9a-f(?:A-F)?\\](?:\\{(\\d+)\\}|\\+)\\$''', 'g') part
               where conrelid = class.oid and contype = 'c' and part[1] = attname), 'named', array(
             select quote_literal(part[1]) from pg_constraint,
                 regexp_matches(pg_get_constraintdef(oid), '''([^''^]+)''::', 'g') part
               where conrelid = class.oid and contype = 'c' and mine.attnum = any (conkey)),
           'mayInsert', has_column_privilege($1, class.oid, attnum, 'insert') and attgenerated = '' and attidentity <> 'a',
           'mayUpdate', has_column_privilege($1, class.oid, attnum, 'update') and attgenerated = '' and attidentity <> 'a') order by attnum)
         from pg_attribute mine join pg_type on pg_type.oid = atttypid
         where attrelid = class.oid and attnum > 0 and not attisdropped) as columns
     from pg_class class
     where relnamespace in (select oid from ours) and (relkind in ('r', 'p') or relkind = 'v' and pg_relation_is_updatable(class.oid, true) > 0) and not relispartition
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

/** Returns what of `privileges` is none of `others`. */
export function beyond(privileges: readonly Privilege[], others: readonly Privilege[]): Privilege[] {
  const known = new Map(others.map((other) => [other.name, other]))
  return privileges.flatMap((privilege) => {
    const other = known.get(privilege.name)
    if (!other) return [privilege]
    const isMore = privilege.columns.some(({ mayInsert, mayUpdate }, place) => {
      const column = other.columns[place]
      return mayInsert !== column?.mayInsert || mayUpdate !== column.mayUpdate
    })
    return isMore || privilege.mayDelete !== other.mayDelete ? [privilege] : []
  })
}
