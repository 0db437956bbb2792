import pg from 'pg'
import { isAllowed, type RoleSetting, storedSettings, unsetTimeouts } from './roleSettings.ts'

/**
 * The roles of our processes, for each database that they connect to: the market's, or the index's. A role
 * belongs to the server: it is created once, for all databases, and never dropped.
 */
export const ROLES = {
  market: ['market_api', 'market_worker', 'market_facilitator'],
  index: ['market_indexer', 'market_index_reader'],
} as const
type RoledDatabase = keyof typeof ROLES

const FORBIDDEN = '42501'

/**
 * The server lacks roles of our processes, and this database's owner may not create them. The message has the
 * SQL.
 */
export class MissingRoles extends Error {}

/**
 * Returns the statements that allow only the roles of a database, and its owner, to connect to it. A copy of
 * a database does not have these settings.
 */
export function connectPrivileges(which: RoledDatabase, database: string): string[] {
  const name = pg.escapeIdentifier(database)
  return [
    `revoke connect, temporary on database ${name} from public`,
    `grant connect on database ${name} to ${ROLES[which].join(', ')}`,
    ...(which === 'index' ? [`grant create, temporary on database ${name} to market_indexer`] : []),
  ]
}

/** How to treat the stored settings of the roles. */
export interface SettingOptions {
  /** Names of settings, in lower case, that an operator sets for roles. */
  kept?: readonly string[]
  /** Called for each setting that was removed. */
  onReset?: (setting: RoleSetting) => void
}

/**
 * Creates the roles of a database that its server lacks, without a login, resets their stored settings,
 * except the timeouts within their bounds and those that the operator keeps, and sets the timeouts that are
 * not set yet. The worker has all rights of the API. Makes the owner of the index a member of the indexer's
 * role, which is needed to set who may read the indexer's tables and views. Throws MissingRoles, changing
 * nothing, if the owner may not do so.
 */
export async function ensureRoles(
  client: pg.Client,
  which: RoledDatabase,
  { kept = [], onReset }: SettingOptions = {},
): Promise<void> {
  const { statements, resets } = await missing(client, which, kept)
  if (statements.length === 0) return
  try {
    // One transaction, so that a role that another database's migration is creating at the same time is
    // waited for.
    await client.query(statements.join('\n'))
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    // Another migration created it first.
    if ((await missing(client, which, kept)).statements.length === 0) return
    if (error.code !== FORBIDDEN) throw error
    throw new MissingRoles(
      `The database's owner may not create or change the roles of the processes. Have a superuser run this, and migrate again:\n\n${statements.join('\n')}\n`,
    )
  }
  for (const setting of resets) onReset?.(setting)
}

interface Missing {
  statements: string[]
  resets: RoleSetting[]
}

/**
 * Returns the statements that create the missing roles, reset the settings of roles, which override the
 * database's, and set their timeouts; and the settings to be reset.
 */
async function missing(client: pg.Client, which: RoledDatabase, kept: readonly string[]): Promise<Missing> {
  const roles: readonly string[] = ROLES[which]
  const { rows } = await client.query<Found>(
    `select current_user::text as owner, quote_ident(current_user) as quoted_owner,
       array(select name from unnest($1::text[]) name where to_regrole(name) is null) as absent,
       case $2 when 'market' then coalesce(pg_has_role(to_regrole('market_worker'), to_regrole('market_api'), 'usage'), false)
         else coalesce(pg_has_role(to_regrole('market_indexer'), 'usage'), (select rolsuper from pg_roles where rolname = current_user))
         end as is_member`,
    [roles, which],
  )
  const [found] = rows
  if (!found) throw new Error('the database does not say which roles it has')
  const { owner, quoted_owner: quotedOwner, absent, is_member: isMember } = found
  const stored = await storedSettings(client, [...roles, owner])
  const isReset = (setting: RoleSetting) =>
    roles.includes(setting.role) ? !isAllowed(setting, kept) : setting.name === 'search_path'
  const resets = stored.filter(isReset)
  const stays = stored.filter((setting) => !isReset(setting))
  const statements = [
    ...absent.map((name) => `create role ${name} nologin;`),
    ...resets.map(resetOf),
    ...roles
      .toSorted()
      .flatMap((role) =>
        unsetTimeouts(role, stays).map(([name, value]) => `alter role ${role} set ${name} = '${value}';`),
      ),
    ...(isMember
      ? []
      : [which === 'market' ? 'grant market_api to market_worker;' : `grant market_indexer to ${quotedOwner};`]),
  ]
  return { statements, resets }
}

/** A setting is reset by name: RESET ALL leaves those that only a superuser may change, without an error. */
function resetOf({ role, database, name }: RoleSetting): string {
  const place = database === null ? '' : ` in database ${pg.escapeIdentifier(database)}`
  return `alter role ${pg.escapeIdentifier(role)}${place} reset ${pg.escapeIdentifier(name)};`
}

interface Found {
  owner: string
  quoted_owner: string
  absent: string[]
  is_member: boolean
}
