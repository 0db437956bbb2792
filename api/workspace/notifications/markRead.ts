import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import { type Member, mayRead } from '../membership.ts'

/**
 * Marks notifications of a member as read: those with these ids, or all that have appeared. Returns how many were unread.
 * Ids of others, and of what has not appeared, are left alone.
 */
export async function markRead(tx: Tx, member: Member, which: readonly string[] | 'all'): Promise<number> {
  let query = tx
    .updateTable('market.notifications')
    .set({ read_at: sql<Date>`market.now()` })
    .where('account_id', '=', member.accountId)
    .where('org_id', '=', member.orgId)
    .where(sql<boolean>`(space_id is null or ${mayRead(member, 'market.notifications.space_id')})`)
    .where('is_in_app', '=', true)
    .where(sql<boolean>`market.is_open(confirmation_id)`)
    .where('read_at', 'is', null)
    .where('due_at', '<=', sql<Date>`market.now()`)
  if (which !== 'all') query = query.where('id', '=', sql<string>`any(${which}::uuid[])`)
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
