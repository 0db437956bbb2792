import type { Generated } from 'kysely'
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

interface AuditLog {
  id: Generated<bigint>
  transaction_id: Generated<string>
  actor: string
  action: string
  subject: string
  details: Json<Record<string, unknown> | null>
  salt: Generated<Buffer | null>
  digest: Buffer | null
  position: bigint | null
  chain_hash: Buffer | null
  is_attributed: Generated<boolean>
  created_at: Time
}

interface AuditAccounts {
  account_id: string
  position: bigint
  role: 'actor' | 'party' | 'subject'
}

interface IdempotentAnswers {
  account_id: string
  operation: string
  key: string
  fingerprint: Buffer
  token_id: string
  status: number
  headers: Json<Record<string, string>>
  body: Buffer | null
  is_sealed: boolean
  created_at: Time
}

export interface LogTables {
  'market.events': Events
  'market.audit_log': AuditLog
  'market.audit_accounts': AuditAccounts
  'market.idempotent_answers': IdempotentAnswers
}
