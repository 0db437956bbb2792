import type pg from 'pg'
import { isAllowed, showSetting, storedSettings } from '../../../api/platform/db/roleSettings.ts'
import { ROLES as DATABASE_ROLES } from '../../../api/platform/db/roles.ts'
import { type Check, type Fault, inSession } from './check.ts'
import type { Place, ProcessName } from './place.ts'

/** A role of our processes, and the schemas of money in which it may write. */
interface RoleRule {
  name: string
  writes: readonly string[]
}

const MARKET_ROLES: readonly RoleRule[] = [
  { name: 'market_api', writes: [] },
  { name: 'market_worker', writes: [] },
  { name: 'market_facilitator', writes: ['facilitator'] },
]
const INDEX_ROLES: readonly RoleRule[] = [
  { name: 'market_indexer', writes: [] },
  { name: 'market_index_reader', writes: [] },
]
const RIGHTS_PAGE = 'docs/operate/databases.md#databases-and-roles'
const SETTINGS_PAGE = 'docs/operate/databases.md#settings-of-roles'

// The attributes of a role, the owner's rights, and a table of money that it may change.
const ROLES = `
  select rule.name, role.oid is not null as "isThere",
    array_remove(array[
      case when rolsuper then 'is a superuser' end, case when rolcreaterole then 'may create roles' end,
      case when rolcreatedb then 'may create databases' end, case when rolreplication then 'may copy the server' end,
      case when rolbypassrls then 'bypasses the security of rows' end,
      case when not rolsuper and pg_has_role(role.oid, database.datdba, 'member') then 'may act as the owner of the database' end,
      case when not rolsuper then (
        select 'may write ' || schema.nspname || '.' || relation.relname
        from pg_class relation join pg_namespace schema on schema.oid = relation.relnamespace
        where relation.relkind in ('r', 'p') and schema.nspname in ('ledger', 'facilitator')
          and not schema.nspname = any (string_to_array(rule.writes, ','))
          and (has_table_privilege(role.oid, relation.oid, 'delete, truncate, trigger')
            or has_any_column_privilege(role.oid, relation.oid, 'insert, update'))
        order by relation.oid limit 1) end], null) as excess
  from unnest($1::text[], $2::text[]) rule (name, writes)
    left join pg_roles role on role.rolname = rule.name
    join pg_database database on database.datname = current_database()
  order by rule.name`

/**
 * Checks that the roles of all processes exist, that none may do more than its process needs, and what is
 * stored for their sessions.
 */
export function roleChecks({ process, database, index, keptRoleSettings }: Place): Check[] {
  return [
    ...(database
      ? [
          {
            name: 'roles',
            cure: 'see DATABASE_URL',
            find: () =>
              inSession(database.url, async (client) => [
                ...(await roleFaults(client)),
                ...(await settingFaults(client, DATABASE_ROLES.market, keptRoleSettings)),
                ...(await ownFaults(client, process)),
              ]),
          },
        ]
      : []),
    ...(index
      ? [
          {
            name: 'roles of the index',
            cure: 'see INDEX_DATABASE_URL',
            find: () =>
              inSession(index.url, async (client) => [
                ...(await roleFaults(client, INDEX_ROLES)),
                ...(await settingFaults(client, DATABASE_ROLES.index, keptRoleSettings)),
              ]),
          },
        ]
      : []),
  ]
}

/** Returns the faults of roles, by default of those of the market's database. */
export async function roleFaults(client: pg.Client, roles = MARKET_ROLES): Promise<Fault[]> {
  const { rows } = await client.query<{ name: string; isThere: boolean; excess: string[] }>(ROLES, [
    roles.map(({ name }) => name),
    roles.map(({ writes }) => writes.join(',')),
  ])
  return rows.flatMap(({ name, isThere, excess }) =>
    isThere
      ? excess.map((what) => ({
          fault: `the role ${name} ${what}`,
          cure: `take that from it: it needs no more than ./market migrate grants (${RIGHTS_PAGE})`,
        }))
      : [
          {
            fault: `there is no role ${name}`,
            cure: 'run ./market migrate, which creates it or prints the SQL for a superuser',
          },
        ],
  )
}

/** The settings that are stored for roles, and that `migrate` removes. */
async function settingFaults(client: pg.Client, roles: readonly string[], kept: readonly string[]): Promise<Fault[]> {
  const stored = await storedSettings(client, roles)
  return stored
    .filter((setting) => !isAllowed(setting, kept))
    .map((setting) => ({
      fault: `a setting is stored for ${showSetting(setting)}`,
      cure: `run ./market migrate, which removes it, and restart the process; to keep it, list it in KEPT_ROLE_SETTINGS (${SETTINGS_PAGE})`,
    }))
}

/** The faults of the login of DATABASE_URL that the process itself does not look for. */
async function ownFaults(client: pg.Client, process: ProcessName): Promise<Fault[]> {
  if (process === 'migrate') return []
  const role = `market_${process}`
  const { rows } = await client.query<{ name: string; fits: boolean | null }>(
    `select current_user as name, pg_has_role(to_regrole($1), 'usage') as fits`,
    [role],
  )
  const [own] = rows
  if (own === undefined || own.fits === null) return []
  const cure = `set DATABASE_URL to a login of ${role}: alter role ${role} login password '…'`
  if (!own.fits) return [{ fault: `DATABASE_URL is of the role ${own.name}, which lacks the rights of ${role}`, cure }]
  if (process !== 'facilitator' || own.name === role) return []
  // It writes its schema, which no other process may.
  const faults = await roleFaults(client, [{ name: own.name, writes: ['facilitator'] }])
  return faults.map(({ fault }) => ({ fault: `DATABASE_URL: ${fault}`, cure }))
}
