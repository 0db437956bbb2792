import type pg from 'pg'

/**
 * How long a session of a login may run a statement, wait for a lock, and leave a transaction idle. The
 * limits belong to the login, because a pooler does not pass on the options of a connection. A process that
 * hangs holds no lock for longer than the last limit.
 */
const TIMEOUTS: Readonly<Partial<Record<string, Timeouts>>> = {
  market_api: { statement_timeout: '20s', lock_timeout: '10s', idle_in_transaction_session_timeout: '20s' },
  // A job may read a whole table.
  market_worker: { statement_timeout: '10min', lock_timeout: '20s', idle_in_transaction_session_timeout: '60s' },
  market_facilitator: { statement_timeout: '10s', lock_timeout: '5s', idle_in_transaction_session_timeout: '10s' },
  // An attacker who controls the indexer may create views that never answer.
  market_index_reader: { statement_timeout: '10s', lock_timeout: '5s', idle_in_transaction_session_timeout: '20s' },
}
const TIMEOUT_NAMES = ['idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout'] as const
type Timeouts = Readonly<Record<(typeof TIMEOUT_NAMES)[number], string>>

/** An operator may set a timeout of a role from a half of the default to ten times the default. */
const [LEAST, MOST] = [0.5, 10]
const UNIT_MS: Readonly<Partial<Record<string, number>>> = { '': 1, ms: 1, s: 1_000, min: 60_000, h: 3_600_000 }

/**
 * A setting that PostgreSQL stores for a role: for all databases (`database` is null), or for the current
 * one.
 */
export interface RoleSetting {
  role: string
  database: string | null
  name: string
  value: string
}

/**
 * Reads the stored settings of roles. Every role can change its own settings, and they outlive its password:
 * its next sessions begin with them.
 */
export async function storedSettings(client: pg.Client, roles: readonly string[]): Promise<RoleSetting[]> {
  const { rows } = await client.query<RoleSetting>(
    `select rolname as role, datname as database, split_part(setting, '=', 1) as name,
       substr(setting, strpos(setting, '=') + 1) as value
     from pg_db_role_setting join pg_roles on pg_roles.oid = setrole cross join unnest(setconfig) setting
       left join pg_database on pg_database.oid = setdatabase
     where rolname = any ($1) and (setdatabase = 0 or datname = current_database())
     order by 1, 2 nulls first, 3`,
    [roles],
  )
  return rows
}

/**
 * Returns whether a stored setting of one of our roles may stay: a setting that the operator keeps, or one of
 * the three timeouts within its bounds. A search path never stays, because no process starts with one.
 */
export function isAllowed({ role, name, value }: RoleSetting, kept: readonly string[]): boolean {
  const plain = name.toLowerCase()
  if (plain === 'search_path') return false
  if (kept.includes(plain)) return true
  const usual = timeoutOf(role, plain)
  return usual !== undefined && isWithinBounds(value, usual)
}

/** Returns the default timeouts that no stored setting of the role replaces. */
export function unsetTimeouts(role: string, stored: readonly RoleSetting[]): [name: string, value: string][] {
  return TIMEOUT_NAMES.flatMap((name) => {
    const usual = timeoutOf(role, name)
    const isSet = stored.some((setting) => setting.role === role && setting.name.toLowerCase() === name)
    return usual === undefined || isSet ? [] : [[name, usual]]
  })
}

/**
 * Writes a setting as one line of printable ASCII, because a thief of the login may have chosen its value.
 */
export function showSetting({ role, database, name, value }: RoleSetting): string {
  const place = database === null ? role : `${role} in database ${database}`
  return `${place}: ${name} = ${value}`.replaceAll(/[^\x20-\x7e]/g, '?')
}

function timeoutOf(role: string, name: string): string | undefined {
  const timeouts: Readonly<Partial<Record<string, string>>> = TIMEOUTS[role] ?? {}
  return timeouts[name]
}

function isWithinBounds(value: string, usual: string): boolean {
  const [given, ms] = [millisecondsOf(value), millisecondsOf(usual)]
  return given >= ms * LEAST && given <= ms * MOST
}

/**
 * Returns the milliseconds of a time as PostgreSQL writes it; NaN, which is within no bounds, for any other
 * text.
 */
function millisecondsOf(value: string): number {
  const [, number, unit = ''] = /^\s*(\d+)\s*(ms|s|min|h)?\s*$/.exec(value) ?? []
  return Number(number) * (UNIT_MS[unit] ?? Number.NaN)
}
