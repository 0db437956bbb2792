import type { Tx } from '../../../platform/db/pool.ts'
import type { Caller } from '../../membership.ts'
import { accountIdOf, notify } from '../../notifications/notify.ts'
import { taskNotices } from '../module.ts'
import type { TaskRow } from './states.ts'

/**
 * Notifies an account, given by its URN, of a change to a task that it created or worked on. Does nothing if
 * the URN names nobody.
 */
export async function tell(
  tx: Tx,
  by: Caller,
  { id, short_id, org_id: orgId, space_id: spaceId }: TaskRow,
  kind: keyof typeof taskNotices,
  whom: string | null,
): Promise<void> {
  const recipients = whom === null ? [] : [accountIdOf(whom)]
  await notify(tx, { kind: taskNotices[kind], orgId, spaceId, by, recipients, entity: { type: 'task', id, short_id } })
}
