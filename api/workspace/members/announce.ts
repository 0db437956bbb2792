import type { MembershipChanged } from '../../identity/announcements.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { callerOf } from '../membership.ts'
import { recordChange } from '../recordChange.ts'
import { memberEvents } from './declaration.ts'

/** Tells an org that a member joined, left or has another role. */
export async function announceMembership(tx: Tx, changed: MembershipChanged): Promise<void> {
  const { change, orgId, humanId, role, actor } = changed
  const entity = { id: humanId, short_id: null }
  await recordChange(tx, orgId, actor && callerOf(actor), {
    type: memberEvents[`member.${change}`],
    entity,
    spaceId: null,
    data: { role },
  })
}
