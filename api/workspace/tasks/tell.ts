import type { Tx } from '../../platform/db/pool.ts'
import type { Caller } from '../membership.ts'
import { accountIdOf, notify } from '../notifications/notify.ts'
import { taskNotices } from './declaration.ts'
import type { TaskRow } from './find.ts'

/** Tells an account, by its URN, what became of a task that it filed or did. Does nothing where that is nobody. */
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
