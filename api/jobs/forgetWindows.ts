import { sql } from 'kysely'
import type { JobServices } from './services.ts'

const AT_ONCE = 1_000n

/** Deletes what was counted in windows that are over, so that a row is kept for nobody who has gone. */
export async function forgetWindows({ db }: JobServices): Promise<void> {
  for (let forgotten = AT_ONCE; forgotten === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from limits.windows where (subject, policy) in (
        select subject, policy from limits.windows where resets_at <= market.now()
        order by resets_at limit ${AT_ONCE} for update skip locked)`.execute(db)
    forgotten = numAffectedRows
  }
}
