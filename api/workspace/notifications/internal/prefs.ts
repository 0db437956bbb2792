import { sql } from 'kysely'
import { accountOf } from '../../../actor.ts'
import type { Actor, Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { NotificationChannel, NotificationRole } from '../../../platform/db/columns.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import { offeredChannels } from '../channels.ts'

const MAX_HIDDEN_DAYS = 366

/** How an account wants to be notified. */
export interface Prefs {
  kinds: { kind: string; channels: NotificationChannel[]; in_quiet_hours: boolean }[]
  /** Times of the day as hh:mm. */
  quiet_hours: { from: string; until: string; time_zone: string } | null
  hidden_roles: { role: NotificationRole; until: string }[]
}

/** Returns how the caller wants to be notified. Kinds that are not listed go to the app and to push. */
export async function readPrefs(tx: Tx, actor: Actor): Promise<Prefs> {
  const row = await tx
    .selectFrom('market.notification_prefs')
    .selectAll()
    .where('account_id', '=', accountOf(actor))
    .executeTakeFirst()
  if (!row) return { kinds: [], quiet_hours: null, hidden_roles: [] }
  const { kinds, quiet_from, quiet_until, time_zone, hidden_roles } = row
  const hours =
    quiet_from !== null && quiet_until !== null && time_zone !== null
      ? { from: toMinutes(quiet_from), until: toMinutes(quiet_until), time_zone }
      : null
  return { kinds, quiet_hours: hours, hidden_roles }
}

/**
 * Replaces how the caller wants to be notified from now on. Throws request/invalid for an unknown kind, a
 * channel that is not offered here, a time zone that does not exist, and a role that would be hidden for more
 * than a year.
 */
export async function replacePrefs(
  tx: Tx,
  settings: Pick<Settings, 'mail' | 'noticeKinds'>,
  actor: Actor,
  prefs: Prefs,
): Promise<Prefs> {
  const unknown = prefs.kinds.findIndex(({ kind }) => !Object.hasOwn(settings.noticeKinds, kind))
  if (unknown >= 0) throw invalid(`kinds.${unknown}.kind`, 'is no kind of notification')
  const offered = offeredChannels(settings)
  if (prefs.kinds.some(({ channels }) => channels.some((channel) => !offered.includes(channel)))) {
    throw invalid('kinds', `only ${offered.join(', ')} are offered here`)
  }
  await requireTimes(tx, prefs)
  const { humanId } = actor
  const columns = {
    kinds: JSON.stringify(prefs.kinds),
    quiet_from: prefs.quiet_hours?.from ?? null,
    quiet_until: prefs.quiet_hours?.until ?? null,
    time_zone: prefs.quiet_hours?.time_zone ?? null,
    hidden_roles: JSON.stringify(prefs.hidden_roles),
    updated_at: sql<Date>`market.now()`,
  }
  await tx
    .insertInto('market.notification_prefs')
    .values({ account_id: accountOf(actor), human_id: humanId, ...columns })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
    .execute()
  return readPrefs(tx, actor)
}

// Postgres reads time zones at each notification: an unknown one would fail in the transaction of somebody
// else.
async function requireTimes(tx: Tx, { quiet_hours: hours, hidden_roles }: Prefs): Promise<void> {
  const latest = hidden_roles.map(({ until }) => until)
  const { rows } = await sql<{ has_zone: boolean; is_near: boolean }>`
    select exists (select from pg_timezone_names where name = ${hours?.time_zone ?? 'UTC'}) as has_zone,
      not exists (select from unnest(${latest}::timestamptz[]) late
        where late > market.now() + make_interval(days => ${MAX_HIDDEN_DAYS})) as is_near`.execute(tx)
  if (!rows[0]?.has_zone) throw invalid('quiet_hours', 'time_zone must be a zone of the tz database, Europe/Berlin')
  if (!rows[0].is_near) throw invalid('hidden_roles', 'until must be within a year')
}

/** Returns hh:mm for a time from Postgres, hh:mm:ss. */
function toMinutes(time: string): string {
  return time.slice(0, 'hh:mm'.length)
}

function invalid(field: string, message: string): Problem {
  return new Problem(httpProblems.invalid, { detail: `${field}: ${message}.`, field })
}
