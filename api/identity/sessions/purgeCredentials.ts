import { sql } from 'kysely'
import type { JobServices } from '../../platform/jobs/services.ts'

const AT_ONCE = 1_000n
const PERISHABLE = [
  ['market.passkey_challenges', 'challenge'],
  ['market.sessions', 'id'],
  ['market.agent_tickets', 'id'],
  ['market.enrolments', 'id'],
] as const

/**
 * Deletes expired challenges, sessions, tickets and enrolments, oldest first. Challenges can be requested without an
 * account, so they would otherwise accumulate.
 */
export async function purgeCredentials({ db }: JobServices): Promise<void> {
  for (const [table, key] of PERISHABLE) {
    for (let forgotten = AT_ONCE; forgotten === AT_ONCE; ) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ${sql.ref(key)} in (
          select ${sql.ref(key)} from ${sql.table(table)} where expires_at <= market.now()
          order by expires_at limit ${AT_ONCE} for update skip locked)`.execute(db)
      forgotten = numAffectedRows
    }
  }
}
