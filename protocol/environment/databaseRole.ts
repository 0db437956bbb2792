/**
 * Selects `name`, the current database role, and `excess`, a table of the ledger or the facilitator that the
 * role may write. It must be null for every process but the facilitator. The database's owner and superusers
 * may write all these tables.
 */
export const DATABASE_ROLE = `
  select current_user as name, (
    select relation.oid::regclass::text
    from pg_class relation join pg_namespace schema on schema.oid = relation.relnamespace
    where relation.relkind in ('r', 'p') and schema.nspname in ('ledger', 'facilitator')
      and (has_table_privilege(relation.oid, 'delete, truncate, trigger')
        or has_any_column_privilege(relation.oid, 'insert, update'))
    order by relation.oid limit 1) as excess`

/** A row of DATABASE_ROLE. */
export interface DatabaseRole {
  name: string
  excess: string | null
}

/**
 * Returns why a process must not run as a role, or undefined if it may. `role` is the one made for the
 * process.
 */
export function excessOf({ name, excess }: DatabaseRole, role: string): string | undefined {
  return excess === null
    ? undefined
    : `DATABASE_URL is of the role ${name}, which may write ${excess}: whoever takes over this process could take all money in custody. Use ${role}`
}

/**
 * Selects `name`, the current role, and `excess`, a relation of the market that it may use though the
 * facilitator must not. A process with keys must not be able to write its own intents, read other components'
 * secrets, or change rows it has written. Privileges on single columns count as well. Only relations owned by
 * the owner of the schema market count: any other owner could grant privileges on its own tables.
 */
export const FACILITATOR_ROLE = `
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

/** Returns why the facilitator must not run as a role, or undefined if it may. */
export function facilitatorExcessOf({ name, excess }: DatabaseRole): string | undefined {
  return excess === null
    ? undefined
    : `database role ${name} may use ${excess}: use market_facilitator, which may read intents, stops and appeals, add to its own file, and no more`
}

/**
 * Selects `name`, the current role in the index's database; whether the role has the rights of that
 * database's owner, as a superuser does; and whether it may create schemas there. An attacker who takes over
 * the indexer may create functions there, and readers of a view run them.
 */
export const INDEX_ROLE = `
  select current_user as name, pg_catalog.pg_has_role(database.datdba, 'usage') as "isOwner",
    pg_catalog.has_database_privilege(database.oid, 'create') as "mayCreate"
  from pg_catalog.pg_database database where database.datname = pg_catalog.current_database()`

/** A row of INDEX_ROLE. */
export interface IndexRole {
  name: string
  isOwner: boolean
  mayCreate: boolean
}

/**
 * Returns why a process must not connect to the index as a role, or undefined if it may. `role` is the one
 * made for it.
 */
export function indexExcessOf(
  { name, isOwner, mayCreate }: IndexRole,
  role: 'market_indexer' | 'market_index_reader',
): string | undefined {
  const excess = isOwner ? 'owns that database' : mayCreate && role === 'market_index_reader' ? 'may create in it' : ''
  return excess === ''
    ? undefined
    : `INDEX_DATABASE_URL is of the role ${name}, which ${excess}: whoever takes over the indexer can act as it. Use ${role}`
}
