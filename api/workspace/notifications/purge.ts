import { type RawBuilder, sql } from 'kysely'
import type { JobServices } from '../../platform/jobs/services.ts'
import { CONFIRMATION_SECONDS } from '../mails/confirm.ts'

const AT_ONCE = 1_000n
const HOUR_SECONDS = 3_600

/**
 * Deletes notifications, and questions, that are over for longer than events are kept, and what counts mails longer than they
 * count, oldest first.
 */
export async function purgeNotifications({ db, settings }: JobServices): Promise<void> {
  const { eventRetentionSeconds: seconds } = settings.rules
  await purge(db, sql`market.notifications`, sql`due_at`, seconds)
  await purge(db, sql`market.confirmations`, sql`expires_at`, seconds)
  await purge(db, sql`market.notification_mails`, sql`sent_at`, HOUR_SECONDS)
  await purge(db, sql`market.email_confirmations`, sql`created_at`, CONFIRMATION_SECONDS)
}

async function purge(db: JobServices['db'], table: RawBuilder<unknown>, end: RawBuilder<unknown>, seconds: number) {
  for (let purged = AT_ONCE; purged === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${table} where id in (
        select id from ${table} where ${end} <= market.now() - make_interval(secs => ${seconds})
        order by ${end} limit ${AT_ONCE} for update skip locked)`.execute(db)
    purged = numAffectedRows
  }
}
