import type { Actor, Settings } from '../context.ts'
import { announcementKind } from '../platform/announcements/announce.ts'
import type { OrgRole } from '../platform/db/generated/tables.ts'

// The announcements of identity. `api/reactions.ts` lists how other rooms react to them.

/** A human was created. */
export interface HumanCreated {
  humanId: string
}
export const HumanCreated = announcementKind<HumanCreated, Pick<Settings, 'chain'>>('HumanCreated')

/**
 * A wallet was bound to an account, or bound again after it was in doubt. `ownerId` is the human behind the
 * account.
 */
export interface WalletVerified {
  accountId: string
  ownerId: string
}
export const WalletVerified = announcementKind<WalletVerified, Settings>('WalletVerified')

/** An agent was deactivated permanently. Its row is locked. */
export interface AgentDeactivated {
  agentId: string
}
export const AgentDeactivated = announcementKind<AgentDeactivated, Settings>('AgentDeactivated')

/** A human joined an org, left it, or got another role in it. `actor` is null if the service acts. */
export interface MembershipChanged {
  change: 'added' | 'removed' | 'role_changed'
  orgId: string
  humanId: string
  role: OrgRole
  actor: Actor | null
  /** The human whose invitation was accepted. */
  invitedBy?: string
}
export const MembershipChanged = announcementKind<MembershipChanged, Settings>('MembershipChanged')

/** Somebody was invited to an org, or an invitation was withdrawn or declined. */
export interface InvitationChanged {
  change: 'created' | 'ended'
  orgId: string
  /** The invited human's id, or the id of an invitation by mail. */
  invitation: string
  role: OrgRole
  isByEmail: boolean
  /** Null if it is not for the org to know who did. */
  actor: Actor | null
}
export const InvitationChanged = announcementKind<InvitationChanged, Settings>('InvitationChanged')

/** A person has to be notified that they will be erased, or that this was cancelled. */
export interface ErasureChanged {
  change: 'requested' | 'cancelled'
  humanId: string
}
export const ErasureChanged = announcementKind<ErasureChanged, Settings>('ErasureChanged')
