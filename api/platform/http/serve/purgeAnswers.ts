import { sql } from 'kysely'
import type { JobServices } from '../../jobs/services.ts'

const AT_ONCE = 1_000n

/** Deletes stored answers to writes that are too old to be repeated by their keys, oldest first. */
export async function purgeAnswers({ db, settings }: JobServices): Promise<void> {
  for (let forgotten = AT_ONCE; forgotten === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from market.idempotent_answers where (scope, operation, key) in (
        select scope, operation, key from market.idempotent_answers
        where created_at <= market.now() - make_interval(secs => ${settings.rules.idempotencySeconds})
        order by created_at limit ${AT_ONCE} for update skip locked)`.execute(db)
    forgotten = numAffectedRows
  }
}
