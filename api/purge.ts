import { sql } from 'kysely'
import type { MarketRules } from './context.ts'
import type { Db } from './platform/db/pool.ts'
import { forEach } from './platform/jobs/each.ts'
import type { JobServices } from './platform/jobs/services.ts'
import { CONFIRMATION_SECONDS } from './workspace/mails/confirm.ts'

const AT_ONCE = 1_000n
const HOUR_SECONDS = 3_600

/** Rows that are of no use after a time. */
interface Perishable {
  table: string
  key: readonly string[]
  /** The indexed column with the time at which a row ends. */
  end: string
  /** How long a row is kept after its end. */
  keptSeconds?: number
}

function perishables(rules: MarketRules): Perishable[] {
  const { eventRetentionSeconds, idempotencySeconds } = rules
  return [
    // Challenges can be requested without an account.
    { table: 'market.passkey_challenges', key: ['challenge'], end: 'expires_at' },
    { table: 'market.sessions', key: ['id'], end: 'expires_at' },
    { table: 'market.agent_tickets', key: ['id'], end: 'expires_at' },
    { table: 'market.enrolments', key: ['id'], end: 'expires_at' },
    { table: 'limits.windows', key: ['subject', 'policy'], end: 'resets_at' },
    { table: 'market.page_presence', key: ['page_id', 'account_id'], end: 'expires_at' },
    {
      table: 'market.idempotent_answers',
      key: ['scope', 'operation', 'key'],
      end: 'created_at',
      keptSeconds: idempotencySeconds,
    },
    { table: 'market.notifications', key: ['id'], end: 'due_at', keptSeconds: eventRetentionSeconds },
    { table: 'market.confirmations', key: ['id'], end: 'expires_at', keptSeconds: eventRetentionSeconds },
    { table: 'market.email_invitations', key: ['id'], end: 'kept_until' },
    // These two count mails for a limit: their rows are kept for as long as they count.
    { table: 'market.notification_mails', key: ['id'], end: 'sent_at', keptSeconds: HOUR_SECONDS },
    { table: 'market.email_confirmations', key: ['id'], end: 'created_at', keptSeconds: CONFIRMATION_SECONDS },
  ]
}

/**
 * Deletes rows that are no longer of use, the oldest of each table first. If one table fails, the others
 * continue.
 */
export async function purge(services: JobServices): Promise<void> {
  await forEach(services, 'purge', perishables(services.settings.rules), (rows) => purgeTable(services.db, rows))
}

async function purgeTable(db: Db, { table, key, end, keptSeconds = 0 }: Perishable): Promise<void> {
  const name = sql.table(table)
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const time = sql.ref(end)
  for (let purged = AT_ONCE; purged === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${name} where (${keys}) in (
        select ${keys} from ${name} where ${time} <= market.now() - make_interval(secs => ${keptSeconds})
        order by ${time} limit ${AT_ONCE} for update skip locked)`.execute(db)
    purged = numAffectedRows
  }
}
