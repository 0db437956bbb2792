import { type Selectable, sql } from 'kysely'
import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Database } from '../../platform/db/schema.ts'
import { entityPath } from '../entityUrl.ts'
import { type Member, mayRead } from '../membership.ts'
import { notificationKinds } from './kinds.ts'

/** A notification as it is stored. */
export type NotificationRow = Selectable<Database['market.notifications']>

/** A notification in a list: `id` is its place there, which is not its id. */
export interface ListedNotification {
  id: string
  row: NotificationRow
}

/** Lists the notifications of a member that have appeared, newest first, starting below a place. */
export async function listNotifications(
  tx: Tx,
  member: Member,
  isUnread: boolean,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<ListedNotification[]> {
  let query = tx
    .selectFrom('market.notifications')
    .selectAll()
    // Microseconds, which a Date does not have.
    .select(sql<string>`extract(epoch from due_at)::text || ' ' || id`.as('place'))
    .where('account_id', '=', member.accountId)
    .where('org_id', '=', member.orgId)
    .where(sql<boolean>`(space_id is null or ${mayRead(member, 'market.notifications.space_id')})`)
    .where('is_in_app', '=', true)
    .where('due_at', '<=', sql<Date>`market.now()`)
  if (isUnread) query = query.where('read_at', 'is', null)
  if (from !== undefined) {
    const [seconds, id] = from.split(' ')
    query = query.where(sql<boolean>`(due_at, id) < (to_timestamp(${seconds}::numeric), ${id}::uuid)`)
  }
  const rows = await query.orderBy('due_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(({ place, ...row }) => ({ id: place, row }))
}

/** Returns a notification in its wire form. */
export function toNotification({ baseUrl }: Pick<Settings, 'baseUrl'>, slug: string, row: NotificationRow) {
  const { id, kind, role, entity_type, entity_id, short_id, space_id, actor } = row
  const entity = { type: entity_type, id: entity_id, short_id }
  return {
    ...{ id, kind, role, entity_type, entity_id, short_id, space_id, actor },
    title: titleOf(kind),
    url: baseUrl + entityPath(slug, entity),
    created_at: row.due_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  }
}

/** Returns the title of a kind, which an older release may have known. */
export function titleOf(kind: string): string {
  const known: Readonly<Record<string, { title: string }>> = notificationKinds
  return known[kind]?.title ?? kind
}
