import type { InvitationChanged, MembershipChanged } from '../../identity/announcements.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { callerOf } from '../membership.ts'
import { notify } from '../notifications/notify.ts'
import { recordChange } from '../recordChange.ts'
import { memberEvents, memberNotices } from './declaration.ts'

/** Tells an org that a member joined, left or has another role, and who invited a member that they joined. */
export async function announceMembership(tx: Tx, changed: MembershipChanged): Promise<void> {
  const { change, orgId, humanId, role, actor, invitedBy } = changed
  const entity = { id: humanId, short_id: null }
  const by = actor && callerOf(actor)
  await recordChange(tx, orgId, by, { type: memberEvents[`member.${change}`], entity, spaceId: null, data: { role } })
  if (invitedBy === undefined) return
  await notify(tx, {
    kind: memberNotices['member.added'],
    orgId,
    recipients: [invitedBy],
    entity: { ...entity, type: 'member' },
    spaceId: null,
    by,
  })
}

/** Tells an org that somebody was invited, or that an invitation was withdrawn or declined. */
export async function announceInvitation(tx: Tx, changed: InvitationChanged): Promise<void> {
  const { change, orgId, invitation, role, isByEmail, actor } = changed
  await recordChange(tx, orgId, actor && callerOf(actor), {
    type: memberEvents[`invitation.${change}`],
    entity: { id: invitation, short_id: null },
    spaceId: null,
    data: { role, by_email: isByEmail },
  })
}
