import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { deviceNotices } from '../module.ts'
import { notify } from '../notify.ts'

/** How long a push service may refuse every message before its device is removed. */
const MAX_REFUSED_SECONDS = 604_800

/** Notes that the push service of a device took a message. */
export async function noteTaken(db: Db, deviceId: string): Promise<void> {
  await db
    .updateTable('market.push_subscriptions')
    .set({ last_success_at: sql<Date>`market.now()`, refused_since: null })
    .where('id', '=', deviceId)
    .execute()
}

/**
 * Notes that the push service of a device refuses its subscription (400 or 403). Removes the device if
 * that has lasted a week, and notifies its account.
 */
export async function noteRefused(tx: Tx, deviceId: string): Promise<void> {
  await tx
    .updateTable('market.push_subscriptions')
    .set({ refused_since: sql<Date>`coalesce(refused_since, market.now())` })
    .where('id', '=', deviceId)
    .execute()
  const removed = await tx
    .deleteFrom('market.push_subscriptions')
    .where('id', '=', deviceId)
    .where(sql<boolean>`refused_since <= market.now() - make_interval(secs => ${MAX_REFUSED_SECONDS})`)
    .returning('account_id')
    .executeTakeFirst()
  if (!removed) return
  await notify(tx, {
    kind: deviceNotices['push.device_removed'],
    ...{ orgId: null, spaceId: null, by: null, cause: deviceId },
    recipients: [removed.account_id],
    entity: { type: 'push_subscription', id: deviceId, short_id: null },
  })
}
