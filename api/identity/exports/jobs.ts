import { sql } from 'kysely'
import type { Section } from '../../platform/db/personalDataRule.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEachPending } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { advanceExport, finishExport } from './internal/build.ts'
import { expire } from './internal/request.ts'

const AT_ONCE = 100

/**
 * Builds the requested exports, oldest first, each piece by piece. An export contains these sections, in this
 * order.
 */
export async function buildExports(services: JobServices, sections: readonly Section[]): Promise<void> {
  const { db, settings } = services
  const find = (limit: number) =>
    db.selectFrom('market.exports').select('id').where('state', '=', 'pending').orderBy('id').limit(limit).execute()
  const build = async ({ id }: { id: string }) => {
    while (await inTransaction(db, 'read write', (tx) => advanceExport(tx, id, sections)));
    await finishExport(db, settings, id, sections)
  }
  await forEachPending(services, 'export', { find, act: build, atOnce: AT_ONCE })
}

/** Deletes the files of expired exports. */
export async function purgeExports({ db }: JobServices): Promise<void> {
  const due = sql`id in (
    select id from market.exports where state = 'ready' and expires_at <= market.now()
    order by expires_at limit ${AT_ONCE} for update skip locked)`
  let forgotten: number
  do forgotten = await inTransaction(db, 'read write', (tx) => expire(tx, due))
  while (forgotten === AT_ONCE)
}
