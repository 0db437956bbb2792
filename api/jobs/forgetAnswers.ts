import { sql } from 'kysely'
import type { JobServices } from './services.ts'

const AT_ONCE = 1_000n

/** Deletes the answers to writes that can no longer be repeated by their keys, oldest first. */
export async function forgetAnswers({ db, settings }: JobServices): Promise<void> {
  for (let forgotten = AT_ONCE; forgotten === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from market.idempotent_answers where (account_id, operation, key) in (
        select account_id, operation, key from market.idempotent_answers
        where created_at <= market.now() - make_interval(secs => ${settings.rules.idempotencySeconds})
        order by created_at limit ${AT_ONCE} for update skip locked)`.execute(db)
    forgotten = numAffectedRows
  }
}
