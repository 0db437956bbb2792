import type { Generated } from 'kysely'
import type { Json, MaybeTime, Time } from './columns.ts'

export type ReceiptPrivacy = 'stub' | 'public' | 'private'

interface Receipts {
  id: string
  order_id: string
  disputed: Generated<boolean>
  document: Json<Record<string, unknown> | null>
  key_id: string | null
  signature: string | null
  finalized_at: MaybeTime
  audit_id: bigint | null
  created_at: Time
}

export interface ReceiptsTables {
  'market.receipts': Receipts
}
