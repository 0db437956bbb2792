import type { Generated } from 'kysely'
import type { MaybeTime, Time } from './columns.ts'

export type OrgRole = 'owner' | 'admin' | 'member'

interface Orgs {
  id: string
  slug: string
  display_name: string
  created_at: Time
  agents_stopped_at: MaybeTime
  agents_ask_for_secrets: Generated<boolean>
}

interface OrgMembers {
  org_id: string
  human_id: string
  role: OrgRole
  joined_at: Time
}

interface OrgInvitations {
  org_id: string
  human_id: string
  role: OrgRole
  invited_by: string
  created_at: Time
  expires_at: Date
}

/** Where an agent stands in an org. */
export type OrgAgentState = 'active' | 'paused' | 'revoked'

interface OrgAgents {
  org_id: string
  agent_id: string
  state: OrgAgentState
  changed_by: string
  added_at: Time
  changed_at: Time
}

export interface OrgsTables {
  'market.org_agents': OrgAgents
  'market.orgs': Orgs
  'market.org_members': OrgMembers
  'market.org_invitations': OrgInvitations
}
