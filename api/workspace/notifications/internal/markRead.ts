import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Inbox, isListed } from './find.ts'

/**
 * Marks notifications of an inbox as read: those with these ids, or all that have appeared. Returns how many
 * were unread. Ignores the ids of other accounts' notifications, and of those that have not appeared.
 */
export async function markRead(tx: Tx, inbox: Inbox, which: readonly string[] | 'all'): Promise<number> {
  let query = tx
    .updateTable('market.notifications')
    .set({ read_at: sql<Date>`market.now()` })
    .where(isListed(inbox))
    .where('read_at', 'is', null)
  if (which !== 'all') query = query.where('id', '=', sql<string>`any(${which}::uuid[])`)
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
