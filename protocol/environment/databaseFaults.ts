import { HISTORY, HISTORY_FOR_FACILITATOR, misfitOf, type Program, type Queryable, readHistory } from './migrations.ts'

/** The environment does not fit the process. Waiting does not change that. */
export class Unfit extends Error {}

/** Why a process must not work on a database. Where the role is at fault, a sandbox works all the same. */
export interface DatabaseFault {
  subject: 'role' | 'schema' | 'clock'
  fault: string
}

/** How a process treats the faults of a database. */
export interface Strictness {
  isSandbox: boolean
  warn: (fault: string) => void
}

const FORBIDDEN = '42501'

/**
 * Throws Unfit with the first fault. In a sandbox, whose database may have a single role, a role is only
 * warned of.
 */
export function refuse(faults: readonly DatabaseFault[], { isSandbox, warn }: Strictness): void {
  for (const { subject, fault } of faults) {
    if (subject !== 'role' || !isSandbox) throw new Unfit(fault)
    warn(fault)
  }
}

/** Returns why a process must not work on the market's database. Throws as requireEmptySearchPath. */
export async function marketFaults(
  database: Queryable,
  process: 'api' | 'worker' | 'facilitator',
  { program, isSandbox }: { program: Program; isSandbox: boolean },
): Promise<DatabaseFault[]> {
  await requireEmptySearchPath(database)
  const isFacilitator = process === 'facilitator'
  return present([
    ['role', isFacilitator ? await facilitatorRoleFault(database) : await roleFault(database, `market_${process}`)],
    ['clock', isSandbox || isFacilitator ? undefined : await clockFault(database)],
    // Last: what is forbidden ends the transaction that it may be asked in.
    ['schema', await schemaFault(database, program, isFacilitator ? HISTORY_FOR_FACILITATOR : HISTORY)],
  ])
}

/**
 * Returns why a process must not work on the database of the index. `role` is the one made for it. Throws as
 * requireEmptySearchPath.
 */
export async function indexFaults(
  database: Queryable,
  role: 'market_indexer' | 'market_index_reader',
): Promise<DatabaseFault[]> {
  await requireEmptySearchPath(database)
  return present([['role', await indexRoleFault(database, role)]])
}

function present(faults: [subject: DatabaseFault['subject'], fault: string | undefined][]): DatabaseFault[] {
  return faults.flatMap(([subject, fault]) => (fault === undefined ? [] : [{ subject, fault }]))
}

/**
 * Throws Unfit if the search path of a session is not empty: anyone who may create a schema or a function on
 * it would decide what the names in our statements mean. No name is resolved to read the path. Throws any
 * error of the database.
 */
export async function requireEmptySearchPath(database: Queryable): Promise<void> {
  const [row] = (await database.query('show search_path')).rows as { search_path: string }[]
  const path = row?.search_path
  // PostgreSQL shows an empty path in two forms: as set by set_config(), or by SET.
  if (path === '' || path === '""') return
  throw new Unfit(
    `the search_path of the database is ${path}, and must be empty: run \`./market migrate\` as its owner, and set no other for the role`,
  )
}

/** Returns why a program must not work on the database that it is of, or undefined if it may. */
export async function schemaFault(database: Queryable, program: Program, query = HISTORY): Promise<string | undefined> {
  try {
    return misfitOf(program, await readHistory(database, query))
  } catch (error) {
    if ((error as { code?: string }).code !== FORBIDDEN) throw error
    return 'this login may not read which migrations the database has: use a login of the role of this process, and run ./market migrate, which sets its rights'
  }
}

async function clockFault(database: Queryable): Promise<string | undefined> {
  const { rows } = await database.query("select to_regclass('sandbox.clock') is not null as is_movable")
  const [row] = rows as { is_movable: boolean }[]
  return row?.is_movable
    ? 'this database belongs to a sandbox, whose clock can be moved: it cannot be served as anything else'
    : undefined
}

/** A role, and a table that it may use though it must not. */
interface Role {
  name: string
  excess: string | null
}

/**
 * Selects the current role, and a table of the ledger or the facilitator that it may write, which no process
 * but the facilitator may. The database's owner and superusers may write all these tables.
 */
const DATABASE_ROLE = `
  select current_user as name, (
    select relation.oid::regclass::text
    from pg_class relation join pg_namespace schema on schema.oid = relation.relnamespace
    where relation.relkind in ('r', 'p') and schema.nspname in ('ledger', 'facilitator')
      and (has_table_privilege(relation.oid, 'delete, truncate, trigger')
        or has_any_column_privilege(relation.oid, 'insert, update'))
    order by relation.oid limit 1) as excess`

async function roleFault(database: Queryable, role: string): Promise<string | undefined> {
  const [own] = (await database.query(DATABASE_ROLE)).rows as Role[]
  return own && own.excess !== null
    ? `DATABASE_URL is of the role ${own.name}, which may write ${own.excess}: whoever takes over this process could take all money in custody. Use ${role}`
    : undefined
}

/**
 * Selects the current role, and a relation of the market that it may use though the facilitator must not. A
 * process with keys must not be able to write its own intents, read other components' secrets, or change rows
 * it has written. Privileges on single columns count as well. Only relations owned by the owner of the schema
 * market count: any other owner could grant privileges on its own tables.
 */
const FACILITATOR_ROLE = `
  select current_user as name, (
     select relation.oid::regclass::text
     from pg_class relation
     join pg_namespace schema on schema.oid = relation.relnamespace
     join pg_namespace market on market.nspname = 'market' and market.nspowner = relation.relowner
     where relation.relkind in ('r', 'p', 'v', 'm', 'f')
       and schema.nspname <> 'information_schema' and schema.nspname not like 'pg\\_%'
       and (has_table_privilege(relation.oid, 'delete, truncate, trigger')
         or has_any_column_privilege(relation.oid, 'references')
         or case when schema.nspname = 'facilitator'
           then has_any_column_privilege(relation.oid, 'update') and relation.relname not in ('heartbeat', 'leases')
           else has_any_column_privilege(relation.oid, 'insert, update')
             or has_any_column_privilege(relation.oid, 'select')
               and (schema.nspname, relation.relname) not in (('market', 'intents'), ('market', 'payout_stops'), ('market', 'appeal_fees'), ('sandbox', 'clock'))
           end)
     order by relation.oid limit 1
   ) as excess`

async function facilitatorRoleFault(database: Queryable): Promise<string | undefined> {
  const [own] = (await database.query(FACILITATOR_ROLE)).rows as Role[]
  return own && own.excess !== null
    ? `database role ${own.name} may use ${own.excess}: use market_facilitator, which may read intents, stops and appeals, add to its own file, and no more`
    : undefined
}

/**
 * Selects the current role; whether it has the rights of the owner of the index's database, as a superuser
 * does; and whether it may create schemas there. An attacker who takes over the indexer may create functions
 * there, and readers of a view run them.
 */
const INDEX_ROLE = `
  select current_user as name, pg_catalog.pg_has_role(database.datdba, 'usage') as "isOwner",
    pg_catalog.has_database_privilege(database.oid, 'create') as "mayCreate"
  from pg_catalog.pg_database database where database.datname = pg_catalog.current_database()`

async function indexRoleFault(database: Queryable, role: string): Promise<string | undefined> {
  const [own] = (await database.query(INDEX_ROLE)).rows as { name: string; isOwner: boolean; mayCreate: boolean }[]
  const mayCreate = own?.mayCreate && role === 'market_index_reader'
  const excess = own?.isOwner ? 'owns that database' : mayCreate ? 'may create in it' : undefined
  return own && excess
    ? `INDEX_DATABASE_URL is of the role ${own.name}, which ${excess}: whoever takes over the indexer can act as it. Use ${role}`
    : undefined
}
