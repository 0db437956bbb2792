import type { Time } from './columns.ts'

export type OrgRole = 'owner' | 'admin' | 'member'

interface Orgs {
  id: string
  slug: string
  display_name: string
  created_at: Time
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

export interface OrgsTables {
  'market.orgs': Orgs
  'market.org_members': OrgMembers
  'market.org_invitations': OrgInvitations
}
