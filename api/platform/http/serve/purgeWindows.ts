import { sql } from 'kysely'
import type { JobServices } from '../../jobs/services.ts'

const AT_ONCE = 1_000n

/** Deletes the counts of past windows, so that no row remains for callers that have gone. */
export async function purgeRateWindows({ db }: JobServices): Promise<void> {
  for (let forgotten = AT_ONCE; forgotten === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from limits.windows where (subject, policy) in (
        select subject, policy from limits.windows where resets_at <= market.now()
        order by resets_at limit ${AT_ONCE} for update skip locked)`.execute(db)
    forgotten = numAffectedRows
  }
}
