import { sql } from 'kysely'
import type { JobServices } from '../../platform/jobs/services.ts'

const AT_ONCE = 1_000n

/** Deletes notifications that appeared longer ago than events are kept, oldest first. */
export async function purgeNotifications({ db, settings }: JobServices): Promise<void> {
  for (let purged = AT_ONCE; purged === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from market.notifications where id in (
        select id from market.notifications
        where due_at <= market.now() - make_interval(secs => ${settings.rules.eventRetentionSeconds})
        order by due_at limit ${AT_ONCE} for update skip locked)`.execute(db)
    purged = numAffectedRows
  }
}
