import type pg from 'pg'
import { schema } from '../../../api/schema.ts'
import {
  type DatabaseFault,
  indexFaults,
  marketFaults,
  schemaFault,
} from '../../../protocol/environment/databaseFaults.ts'
import { requireNamedStatements, requireSession } from '../../../protocol/environment/pooler.ts'
import { type Check, type Fault, inSession } from './check.ts'
import type { DatabasePlace, Place, ProcessName } from './place.ts'

const MIN_VERSION = 160_000
const TIMEOUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const
const PAGE = 'docs/operate/databases.md'
const MIGRATE = 'run ./market migrate as the owner of the databases (docs/operate/upgrades.md)'

/**
 * Checks the databases of a process: their version, settings and schema, and what stands between. Roles are
 * checked apart.
 */
export function databaseChecks({ process, database, index }: Place): Check[] {
  const isOwner = process === 'migrate'
  return [
    ...(database ? databaseCheck(database, process) : []),
    ...(index
      ? [
          {
            name: 'INDEX_DATABASE_URL',
            cure: reachable('INDEX_DATABASE_URL'),
            find: () =>
              inSession(index.url, async (client) => [
                ...(await serverFaults(client, index.connections)),
                // Ponder's statements may take long: a rebuild is one.
                ...(isOwner || process === 'indexer' ? [] : await timeoutFaults(client)),
                ...(isOwner ? [] : await ownIndexFaults(client, process)),
              ]),
          },
        ]
      : []),
    ...(index?.needsSession ? [sessionCheck('INDEX_DATABASE_URL', index.url)] : []),
  ]
}

function databaseCheck(database: DatabasePlace, process: ProcessName): Check[] {
  return [
    {
      name: 'DATABASE_URL',
      cure: reachable('DATABASE_URL'),
      find: () =>
        inSession(database.url, async (client) => [
          ...(await serverFaults(client, database.connections)),
          ...(process === 'migrate' ? [] : await timeoutFaults(client)),
          ...(await ownFaults(client, process, database.isSandbox)),
        ]),
    },
    ...(database.pooler === 'none'
      ? [
          {
            name: 'prepared statements',
            cure: `set DATABASE_POOLER=transaction, if the pooler keeps none (${PAGE})`,
            find: async () => {
              await requireNamedStatements(database.url)
              return []
            },
          },
        ]
      : []),
    ...(database.session ? [sessionCheck(database.session.variable, database.session.url)] : []),
  ]
}

function sessionCheck(variable: string, url: string): Check {
  // Only the market's database has a second URL.
  const cure = variable === 'DATABASE_URL' ? 'DATABASE_SESSION_URL' : variable
  return {
    name: `sessions of ${variable}`,
    cure: `set ${cure} to the server itself, or to a pooler of sessions (${PAGE})`,
    find: async () => {
      await requireSession(url, { variable, needs: 'this process needs', cure })
      return []
    },
  }
}

function reachable(variable: string): string {
  return `see that PostgreSQL runs, and that the login, host, port and database in ${variable} are right`
}

interface Server {
  version: number
  encoding: string
  connections: number
  limit: number
}

/**
 * The faults of the server: its version, its encoding, and whether one process of each kind finds room beside
 * this one.
 */
async function serverFaults(client: pg.Client, needed: number): Promise<Fault[]> {
  const { rows } = await client.query<Server>(`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as connections,
      least(nullif(role.rolconnlimit, -1), nullif(database.datconnlimit, -1)) as limit
    from pg_roles role cross join pg_database database
    where role.rolname = current_user and database.datname = current_database()`)
  const [server] = rows
  if (!server) throw new Error('the server does not say what it is')
  const faults: Fault[] = []
  if (server.version < MIN_VERSION)
    faults.push({
      fault: `PostgreSQL ${Math.floor(server.version / 10_000)} is too old`,
      cure: 'use PostgreSQL 16 or newer',
    })
  if (server.encoding !== 'UTF8')
    faults.push({
      fault: `the encoding is ${server.encoding}`,
      cure: `make the database anew with: create database market template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'`,
    })
  const room = Math.min(server.connections, server.limit ?? Number.POSITIVE_INFINITY)
  if (room < needed)
    faults.push({
      fault: `one process opens up to ${needed} connections, and this login may have ${room}`,
      cure: 'raise max_connections (or the limit of the role or database) to the sum of all processes, or lower DATABASE_CONNECTIONS or INDEX_CONNECTIONS',
    })
  return faults
}

/** The limits that end what hangs: `migrate` sets them for each login. */
async function timeoutFaults(client: pg.Client): Promise<Fault[]> {
  const { rows } = await client.query<{ role: string; unset: string[] }>(
    // As the session began.
    `select current_user as role, array(select name from pg_settings where name = any ($1) and reset_val = '0' order by name) as unset`,
    [[...TIMEOUTS]],
  )
  return rows.flatMap(({ role, unset }) =>
    unset.map((name) => ({
      fault: `${name} of ${role} is not limited: what hangs keeps its locks`,
      cure: `use the role of this process, for which migrate sets one, or: alter role ${role} set ${name} = '20s'`,
    })),
  )
}

/** The faults of the market's database for which the process itself refuses it. */
async function ownFaults(client: pg.Client, process: ProcessName, isSandbox: boolean): Promise<Fault[]> {
  if (process === 'migrate') {
    const fault = await schemaFault(client, schema)
    return fault === undefined ? [] : [{ fault, cure: MIGRATE }]
  }
  if (process === 'indexer') return []
  return withCures(
    await marketFaults(client, process, { program: schema, isSandbox }),
    'DATABASE_URL',
    `market_${process}`,
  )
}

/** The same, of the database of the index. */
async function ownIndexFaults(client: pg.Client, process: ProcessName): Promise<Fault[]> {
  const role = process === 'indexer' ? 'market_indexer' : 'market_index_reader'
  return withCures(await indexFaults(client, role), 'INDEX_DATABASE_URL', role)
}

function withCures(faults: readonly DatabaseFault[], variable: string, role: string): Fault[] {
  const cures: Record<DatabaseFault['subject'], string> = {
    role: `set ${variable} to a login of ${role}: alter role ${role} login password '…'`,
    schema: MIGRATE,
    clock: `set ${variable} to a database of this market, or start a sandbox with ./market up`,
  }
  return faults.map(({ subject, fault }) => ({ fault, cure: cures[subject] }))
}
