import { sql } from 'kysely'
import type { InvitationChanged, MembershipChanged } from '../../identity/announcements.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { callerOf } from '../membership.ts'
import { notify } from '../notifications/notify.ts'
import { recordChange } from '../recordChange.ts'
import { memberEvents, memberNotices } from './module.ts'

/** Tells an org that a member joined, left or has another role, and who invited a member that they joined. */
export async function announceMembership(tx: Tx, changed: MembershipChanged): Promise<void> {
  const { change, orgId, humanId, role, actor, invitedBy } = changed
  const entity = { id: humanId, short_id: null }
  const by = actor && callerOf(actor)
  await recordChange(tx, orgId, by, { type: memberEvents[`member.${change}`], entity, spaceId: null, data: { role } })
  if (change === 'added') await markAnswered(tx, orgId, humanId)
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

/**
 * Tells an org that somebody was invited, and them if they have an account; or that an invitation was
 * withdrawn or declined.
 */
export async function announceInvitation(tx: Tx, changed: InvitationChanged): Promise<void> {
  const { change, orgId, invitation, role, isByEmail, actor } = changed
  await recordChange(tx, orgId, actor && callerOf(actor), {
    type: memberEvents[`invitation.${change}`],
    entity: { id: invitation, short_id: null },
    spaceId: null,
    data: { role, by_email: isByEmail },
  })
  if (isByEmail) return
  if (change === 'ended') return markAnswered(tx, orgId, invitation)
  await notify(tx, {
    kind: memberNotices['invitation.received'],
    // They are not in the org. Nobody can make it ring more than once: they are told once of each org.
    ...{ orgId: null, spaceId: null, cause: orgId },
    recipients: [invitation],
    entity: { type: 'org', id: orgId, short_id: null },
    by: actor && callerOf(actor),
  })
}

/** Marks the notification of an invitation that was accepted, declined or withdrawn as read. */
async function markAnswered(tx: Tx, orgId: string, humanId: string): Promise<void> {
  await tx
    .updateTable('market.notifications')
    .set({ read_at: sql<Date>`market.now()` })
    .where('cause', '=', orgId)
    .where('account_id', '=', humanId)
    .where('read_at', 'is', null)
    .execute()
}
