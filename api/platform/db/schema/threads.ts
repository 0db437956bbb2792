import type { Generated } from 'kysely'
import type { Json, Time } from './columns.ts'

interface Threads {
  id: string
  order_id: string
  sealed: Generated<boolean>
  created_at: Time
}

interface Messages {
  id: string
  thread_id: string
  sender_id: string
  kind: string
  payload: Json<Record<string, unknown> | null>
  body: string | null
  created_at: Time
  sealed: Json<Record<string, unknown> | null>
  sealed_id: string | null
}

interface Disclosures {
  message_id: string
  key: Buffer
  disclosed_by: string
  disclosed_at: Time
}

export interface ThreadsTables {
  'market.threads': Threads
  'market.messages': Messages
  'market.disclosures': Disclosures
}
