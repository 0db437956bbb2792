import { sql } from 'kysely'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { hoursBetween } from './internal/sums.ts'

// No transaction of the service lasts so long: what carries a time before that is committed.
const SETTLED_SECONDS = 600

/**
 * Writes down what the hours came to that have ended. Of two workers at once, the second finds nothing to do.
 */
export function sumHours({ db }: Pick<JobServices, 'db'>): Promise<void> {
  return inTransaction(db, 'read write', async (tx) => {
    const { rows } = await sql<{ through: Date; until: Date }>`
      select through, until from market.totals_progress,
        date_trunc('hour', market.now() - make_interval(secs => ${SETTLED_SECONDS}), 'UTC') until
      where through < until for update of totals_progress`.execute(tx)
    const [span] = rows
    if (!span) return
    await sql`
      insert into market.hourly_totals
        (starts_at, paid_orders, paid_micros, ended_orders, refunded_micros, seller_micros, fee_micros)
      ${hoursBetween(sql`(select through from market.totals_progress)`, sql`${span.until}`)}`.execute(tx)
    await sql`update market.totals_progress set through = ${span.until}`.execute(tx)
  })
}
