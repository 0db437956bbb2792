import pg from 'pg'

/**
 * The roles of our processes, for each database that they connect to: the market's, or the index's. A role belongs to the
 * server: it is created once, for all databases, and never dropped.
 */
const ROLES = {
  market: ['market_api', 'market_worker', 'market_facilitator'],
  index: ['market_indexer', 'market_index_reader'],
} as const
type RoledDatabase = keyof typeof ROLES

/**
 * How long a session of a login may run a statement, wait for a lock, and leave a transaction idle. The limits belong to the
 * login, because a pooler does not pass on the options of a connection. A process that hangs holds no lock for longer than the
 * last limit.
 */
const TIMEOUTS: Readonly<Partial<Record<string, Timeouts>>> = {
  market_api: { statement_timeout: '20s', lock_timeout: '10s', idle_in_transaction_session_timeout: '20s' },
  // A job may read a whole table.
  market_worker: { statement_timeout: '10min', lock_timeout: '20s', idle_in_transaction_session_timeout: '60s' },
  market_facilitator: { statement_timeout: '10s', lock_timeout: '5s', idle_in_transaction_session_timeout: '10s' },
  // An attacker who controls the indexer may create views that never answer.
  market_index_reader: { statement_timeout: '10s', lock_timeout: '5s', idle_in_transaction_session_timeout: '20s' },
}
interface Timeouts {
  statement_timeout: string
  lock_timeout: string
  idle_in_transaction_session_timeout: string
}

const FORBIDDEN = '42501'

/** The server lacks roles of our processes, and this database's owner may not create them. The message has the SQL. */
export class MissingRoles extends Error {}

/**
 * Returns the statements that allow only the roles of a database, and its owner, to connect to it. A copy of a database does
 * not have these settings.
 */
export function connectPrivileges(which: RoledDatabase, database: string): string[] {
  const name = pg.escapeIdentifier(database)
  return [
    `revoke connect, temporary on database ${name} from public`,
    `grant connect on database ${name} to ${ROLES[which].join(', ')}`,
    ...(which === 'index' ? [`grant create, temporary on database ${name} to market_indexer`] : []),
  ]
}

/**
 * Creates the roles of a database that its server lacks, without a login, resets their search paths, and sets the timeouts that
 * are not set yet. The worker has all rights of the API. Makes the owner of the index a member of the indexer's role, which is
 * needed to set who may read the indexer's tables and views. Throws MissingRoles, changing nothing, if the owner may not do so.
 */
export async function ensureRoles(client: pg.Client, which: RoledDatabase): Promise<void> {
  const statements = await missing(client, which)
  if (statements.length === 0) return
  try {
    // One transaction, so that a role that another database's migration is creating at the same time is waited for.
    await client.query(`do $do$ begin ${statements.join(' ')} end $do$`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    // Another migration created it first.
    if ((await missing(client, which)).length === 0) return
    if (error.code !== FORBIDDEN) throw error
    throw new MissingRoles(
      `The database's owner may not create the roles of the processes. Have a superuser run this, once, and migrate again:\n\n${statements.join('\n')}\n`,
    )
  }
}

/**
 * Returns the statements that create the missing roles, reset the search paths of roles, which override the database's, and set
 * their timeouts.
 */
async function missing(client: pg.Client, which: RoledDatabase): Promise<string[]> {
  const timeouts = ROLES[which].flatMap((role) => Object.entries(TIMEOUTS[role] ?? {}).map((entry) => [role, ...entry]))
  const { rows } = await client.query<Missing>(
    `select quote_ident(current_user) as owner,
       array(select name from unnest($1::text[]) name where to_regrole(name) is null) as absent,
       array(
         select format('alter role %s%s reset search_path;', setrole::regrole, ' in database ' || quote_ident(datname))
         from pg_db_role_setting left join pg_database on pg_database.oid = setdatabase
         where (setrole = to_regrole(current_user::text) or setrole = any (select to_regrole(name) from unnest($1::text[]) name))
           and (setdatabase = 0 or datname = current_database())
           and exists (select from unnest(setconfig) setting where starts_with(setting, 'search_path='))
         order by 1) as resets,
       array(
         select format('alter role %s set %s = %L;', role, name, value)
         from unnest($3::text[], $4::text[], $5::text[]) timeout (role, name, value)
         where not exists (
           select from pg_db_role_setting cross join unnest(setconfig) setting
           where setrole = to_regrole(role) and setdatabase in (0, (select oid from pg_database where datname = current_database()))
             and starts_with(setting, name || '='))
         order by 1) as timeouts,
       case $2 when 'market' then coalesce(pg_has_role(to_regrole('market_worker'), to_regrole('market_api'), 'usage'), false)
         else coalesce(pg_has_role(to_regrole('market_indexer'), 'usage'), (select rolsuper from pg_roles where rolname = current_user))
         end as is_member`,
    [ROLES[which], which, ...[0, 1, 2].map((part) => timeouts.map((timeout) => timeout[part]))],
  )
  const [found] = rows
  if (!found) throw new Error('the database does not say which roles it has')
  const { owner, absent, resets, timeouts: unset, is_member: isMember } = found
  return [
    ...absent.map((name) => `create role ${name} nologin;`),
    ...resets,
    ...unset,
    ...(isMember
      ? []
      : [which === 'market' ? 'grant market_api to market_worker;' : `grant market_indexer to ${owner};`]),
  ]
}

interface Missing {
  owner: string
  absent: string[]
  resets: string[]
  timeouts: string[]
  is_member: boolean
}
