/**
 * Selects `name`, the current database role, and `excess`, a table of the ledger or of the facilitator that it may write:
 * null for the role of any process but the facilitator. The owner of the database, and a superuser, may write all of them.
 */
export const DATABASE_ROLE = `
  select current_user as name, (
    select relation.oid::regclass::text
    from pg_class relation join pg_namespace schema on schema.oid = relation.relnamespace
    where relation.relkind = 'r' and schema.nspname in ('ledger', 'facilitator')
      and (has_table_privilege(relation.oid, 'delete, truncate, trigger')
        or has_any_column_privilege(relation.oid, 'insert, update'))
    order by relation.oid limit 1) as excess`

/** A row of DATABASE_ROLE. */
export interface DatabaseRole {
  name: string
  excess: string | null
}

/** Returns why a process must not run as a role, or undefined if it may. `role` is the one made for the process. */
export function excessOf({ name, excess }: DatabaseRole, role: string): string | undefined {
  return excess === null
    ? undefined
    : `DATABASE_URL is of the role ${name}, which may write ${excess}: whoever takes over this process could take all money in custody. Use ${role}`
}
