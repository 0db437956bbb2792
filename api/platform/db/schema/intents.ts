import type { Generated } from 'kysely'
import type { Json, MaybeTime, Time } from './columns.ts'

interface Intents {
  id: string
  key: string
  attempt: Generated<number>
  kind: string
  order_id: string | null
  owner_id: Generated<string | null>
  payload: Json<Record<string, unknown>>
  created_at: Time
  closed_at: MaybeTime
  closing: 'settled' | 'failed' | 'voided' | null
}

interface FacilitatorHeartbeat {
  singleton: boolean
  beat_at: Date
}

interface FacilitatorOutcomes {
  intent_id: string
  status: 'confirmed' | 'failed' | 'refused'
  reason: string | null
  tx_hash: string | null
  decided_at: Date
}

export interface IntentsTables {
  'market.intents': Intents
  'facilitator.heartbeat': FacilitatorHeartbeat
  'facilitator.outcomes': FacilitatorOutcomes
}
