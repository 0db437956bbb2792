import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Settings } from '../../../context.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, mayRead } from '../../membership.ts'
import { entityPath } from '../../schemas.ts'
import type { EntityTitle } from './titles.ts'

/** A notification as it is stored. */
export interface NotificationRow extends Selectable<Database['market.notifications']> {
  /** The text of its question, if it asks one. */
  question: string | null
  expires_at: Date | null
}

/** A notification in a list: `id` is its position there, not its own id. */
export interface ListedNotification {
  id: string
  row: NotificationRow
}

/**
 * The inbox to read: a member's notifications of an org, or an account's notifications of its trades and
 * invitations.
 */
export type Inbox = Member | { accountId: string; orgId: null }

/** The condition for the notifications in an inbox. */
export function isListed(inbox: Inbox): RawBuilder<boolean> {
  const { accountId, orgId } = inbox
  const isOf =
    orgId === null
      ? sql`market.notifications.org_id is null`
      : sql`market.notifications.org_id = ${orgId} and (space_id is null or ${mayRead(inbox, 'market.notifications.space_id')})`
  return sql<boolean>`market.notifications.account_id = ${accountId} and ${isOf} and is_in_app
    and market.is_open(confirmation_id) and due_at <= market.now()`
}

/** Lists the notifications of an inbox that have appeared, newest first, starting below a position. */
export async function listNotifications(
  tx: Tx,
  inbox: Inbox,
  isUnread: boolean,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<ListedNotification[]> {
  let query = tx
    .selectFrom('market.notifications')
    .leftJoin('market.confirmations as asked', 'asked.id', 'market.notifications.confirmation_id')
    .selectAll('market.notifications')
    .select(['asked.question', 'asked.expires_at'])
    // Microseconds, which a Date does not have.
    .select(sql<string>`extract(epoch from due_at)::text || ' ' || market.notifications.id`.as('place'))
    .where(isListed(inbox))
  if (isUnread) query = query.where('read_at', 'is', null)
  if (from !== undefined) {
    const [seconds, id] = from.split(' ')
    query = query.where(
      sql<boolean>`(due_at, market.notifications.id) < (to_timestamp(${seconds}::numeric), ${id}::uuid)`,
    )
  }
  const rows = await query.orderBy('due_at', 'desc').orderBy('market.notifications.id', 'desc').limit(limit).execute()
  return rows.map(({ place, ...row }) => ({ id: place, row }))
}

/** Returns a notification in its wire form. */
export function toNotification(
  { baseUrl, noticeKinds }: Pick<Settings, 'baseUrl' | 'noticeKinds'>,
  slug: string | null,
  row: NotificationRow,
  named?: EntityTitle,
) {
  const { id, kind, role, entity_type, entity_id, short_id, space_id, actor } = row
  const entity = { type: entity_type, id: entity_id, short_id }
  const isDeleted = named?.isDeleted ?? false
  return {
    ...{ id, kind, role, entity_type, entity_id, short_id, space_id, actor },
    title: titleOf(noticeKinds, kind) + (isDeleted ? ' (deleted)' : ''),
    entity_title: named?.title ?? null,
    entity_deleted: isDeleted,
    url: baseUrl + pathOf(slug, entity),
    created_at: row.due_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
    confirmation:
      row.confirmation_id !== null && row.question !== null && row.expires_at !== null
        ? { id: row.confirmation_id, question: row.question, expires_at: row.expires_at.toISOString() }
        : null,
  }
}

/** Returns the path of the console's page that shows what a notification is about. */
export function pathOf(org: string | null, entity: { type: string; id: string; short_id: string | null }): string {
  if (org !== null) return entityPath(org, entity)
  if (entity.type === 'org') return '/console/orgs'
  if (entity.type === 'wallet') return '/console/wallets'
  if (entity.type === 'push_subscription') return '/console/notifications'
  if (entity.type === 'human') return '/console/account'
  return entity.type === 'order' ? `/console/orders/${entity.id}` : '/console/money'
}

/** Returns the title of a kind, which may be one that only an older release had. */
export function titleOf(kinds: Settings['noticeKinds'], kind: string): string {
  return kinds[kind]?.title ?? kind
}
