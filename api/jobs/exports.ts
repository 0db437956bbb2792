import { sql } from 'kysely'
import { inTransaction } from '../db/transaction.ts'
import { advanceExport, finishExport } from '../exports/build.ts'
import { expire } from '../exports/request.ts'
import { forEach } from './each.ts'
import type { JobServices } from './services.ts'

const AT_ONCE = 100

/** Makes the exports that were asked for, oldest first, each piece by piece. */
export async function buildExports(services: JobServices): Promise<void> {
  const { db, settings } = services
  const due = await db
    .selectFrom('market.exports')
    .select('id')
    .where('state', '=', 'pending')
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  await forEach(services, 'export', due, async ({ id }) => {
    while (await inTransaction(db, 'read write', (tx) => advanceExport(tx, id)));
    await finishExport(db, settings, id)
  })
}

/** Deletes the files of exports that have been kept long enough. */
export async function forgetExports({ db }: JobServices): Promise<void> {
  const due = sql`id in (
    select id from market.exports where state = 'ready' and expires_at <= market.now()
    order by expires_at limit ${AT_ONCE} for update skip locked)`
  let forgotten: number
  do forgotten = await inTransaction(db, 'read write', (tx) => expire(tx, due))
  while (forgotten === AT_ONCE)
}
