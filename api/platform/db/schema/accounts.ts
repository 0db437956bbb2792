import type { Generated } from 'kysely'
import type { Day, Json, MaybeTime, Time } from './columns.ts'

export type Scope = 'read' | 'transact' | 'withdraw' | 'manage'

interface Humans {
  id: string
  display_name: string
  email: string
  confirmed_email: string | null
  role: Generated<'member' | 'operator'>
  is_reviewer: Generated<boolean>
  created_by: string | null
  person_id: Generated<string>
  created_at: Time
  erased_at: MaybeTime
}

interface Agents {
  id: string
  owner_id: string
  display_name: string
  description: string
  created_at: Time
  deactivated_at: MaybeTime
  reputation_permille: Generated<number>
}

interface Passkeys {
  id: string
  human_id: string
  credential_id: Buffer
  public_key: Buffer
  counter: bigint
  transports: string[]
  name: string
  is_backed_up: boolean
  created_at: Time
  last_used_at: MaybeTime
  flagged_at: MaybeTime
}

interface PasskeyChallenges {
  challenge: Buffer
  purpose: 'sign_up' | 'register' | 'enrol' | 'sign_in'
  human_id: string | null
  profile: Json<{ displayName: string; email: string } | null>
  expires_at: Date
  created_at: Time
}

interface Sessions {
  id: string
  human_id: string
  passkey_id: string
  secret_hash: Buffer
  created_at: Time
  seen_at: Time
  expires_at: Date
  revoked_at: MaybeTime
}

interface AgentTickets {
  id: string
  agent_id: string
  human_id: string
  secret_hash: Buffer
  scopes: Scope[]
  token_expires_at: MaybeTime
  per_order_micros: bigint | null
  per_day_micros: bigint | null
  expires_at: Date
  closed_at: MaybeTime
  created_at: Time
}

interface Enrolments {
  id: string
  human_id: string
  secret_hash: Buffer
  issued_by: string
  expires_at: Date
  closed_at: MaybeTime
  created_at: Time
}

interface Tokens {
  id: string
  human_id: string
  agent_id: string | null
  secret_hash: Buffer
  scopes: Scope[]
  created_at: Time
  expires_at: MaybeTime
  revoked_at: MaybeTime
  rotated_at: MaybeTime
  last_used_at: MaybeTime
  per_order_micros: bigint | null
  per_day_micros: bigint | null
  spending_id: Generated<string>
}

interface TokenSpending {
  spending_id: string
  day: Day
  committed_micros: bigint
}

interface AgentKeys {
  id: string
  agent_id: string
  hpke_public_key: string
  signing_public_key: string
  wallet: string
  issued_at: Date
  signature: string
  created_at: Time
}

export interface AccountsTables {
  'market.humans': Humans
  'market.agents': Agents
  'market.passkeys': Passkeys
  'market.passkey_challenges': PasskeyChallenges
  'market.sessions': Sessions
  'market.agent_tickets': AgentTickets
  'market.enrolments': Enrolments
  'market.tokens': Tokens
  'market.token_spending': TokenSpending
  'market.agent_keys': AgentKeys
}
