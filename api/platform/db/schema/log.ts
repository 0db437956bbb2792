import type { Generated } from 'kysely'
import type { SigningPurpose } from '../../../../protocol/keys/signing.ts'
import type { Json, Time } from './columns.ts'

interface Events {
  id: Generated<bigint>
  transaction_id: Generated<string>
  event_id: Generated<string>
  event_type: string
  payload: Json<Record<string, unknown>>
  visible_to: string[]
  created_at: Time
}

interface VisibleEvents {
  account_id: string
  transaction_id: string
  id: bigint
}

interface EventLog {
  singleton: Generated<boolean>
  epoch: Generated<string>
  purged_transaction_id: Generated<string>
  purged_id: Generated<bigint>
}

interface SigningKeys {
  kid: string
  purpose: SigningPurpose
  x: string
  valid_from: Date
  valid_until: Date | null
  sealed: Buffer
}

interface AuditLog {
  id: Generated<bigint>
  actor: string
  action: string
  subject: string
  details: Json<Record<string, unknown> | null>
  salt: Generated<Buffer | null>
  created_at: Time
}

interface AuditUnsealed {
  entry_id: bigint
  digest: Buffer
}

interface AuditSeals {
  position: bigint
  entry_id: bigint
  digest: Buffer
  chain_hash: Buffer
}

interface AuditHeads {
  id: Generated<bigint>
  position: bigint
  hash: Buffer
  as_of: Date
  key_id: string
  signature: string
}

interface AuditAccounts {
  account_id: string
  position: bigint
  role: 'actor' | 'party' | 'subject'
}

interface IdempotentAnswers {
  scope: string
  operation: string
  key: string
  fingerprint: Buffer
  token_id: string | null
  status: number | null
  headers: Json<Record<string, string>>
  body: Buffer | null
  is_sealed: boolean
  created_at: Time
}

interface FeeRates {
  starts_at: Date
  fee_bps: number
}

export interface LogTables {
  'market.fee_rates': FeeRates
  'market.events': Events
  'market.visible_events': VisibleEvents
  'market.event_log': EventLog
  'market.audit_log': AuditLog
  'market.audit_unsealed': AuditUnsealed
  'market.audit_seals': AuditSeals
  'market.audit_heads': AuditHeads
  'market.signing_keys': SigningKeys
  'market.audit_accounts': AuditAccounts
  'market.idempotent_answers': IdempotentAnswers
}
