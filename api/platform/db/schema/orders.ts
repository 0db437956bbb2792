import type { Generated } from 'kysely'
import type { Json, MaybeTime, Time } from './columns.ts'
import type { ReceiptPrivacy } from './receipts.ts'

export type OrderState =
  | 'placed'
  | 'funded'
  | 'in_flight'
  | 'delivered'
  | 'accepted'
  | 'rejected'
  | 'cancelled'
  | 'disputed'
  | 'final'

export type EscrowMode = 'custodied' | 'contract'

export interface Orders {
  id: string
  state: OrderState
  buyer_id: string
  seller_id: string
  ask_id: string | null
  ask_version: number | null
  quote_id: string | null
  bid_id: string | null
  escrow_mode: EscrowMode
  price_micros: bigint
  fee_bps: number
  sla_seconds: number
  auto_accept_seconds: number
  order_key: string
  seller_owner_id: string
  recipient: string
  nonce: string
  payee: string | null
  fee_recipient: string
  valid_after: Date
  valid_before: Date
  expires_at: Date
  request_hash: Buffer
  thread_id: string | null
  receipt_id: string | null
  dispute_id: string | null
  deliveries: Generated<number>
  placed_at: Time
  placement_entry: bigint | null
  funded_at: MaybeTime
  sla_due_at: MaybeTime
  sla_breached_at: MaybeTime
  delivered_at: MaybeTime
  accept_by: MaybeTime
  redeliver_by: MaybeTime
  closed_at: MaybeTime
  reason: string | null
  suspended_at: MaybeTime
  updated_at: Time
  receipt_privacy: Generated<ReceiptPrivacy>
  sealed: Generated<boolean>
  buyer_keys_id: string | null
  seller_keys_id: string | null
}

interface Deliveries {
  id: string
  order_id: string
  message_id: string | null
  sha256: string
  size_bytes: bigint
  is_blank: Generated<boolean>
  excerpt: string | null
  filename: string | null
  created_at: Time
}

interface DeliveryNotices {
  order_id: string
  number: number
  message_id: string
  output_hash: string
  sla_due_at: Date
  delivered_at: Time
}

interface DeliveryNotifications {
  message_id: string
  notified_at: Time
}

interface Rejections {
  order_id: string
  number: number
  reason: string | null
  rejected_at: Time
}

interface Acceptances {
  message_id: string
  order_id: string
  kind: 'scope_change_proposal' | 'cancellation_proposal' | 'remedy_proposal'
  sha256: string
  accepted_by: string
  accepted_at: Time
}

interface DeliveryChecks {
  delivery_id: string
  order_id: string
  criteria_sha256: string
  attempts: Generated<number>
  /** `CheckResult`s of `api/trading/criteria/results.ts`. */
  results: Json<object[] | null>
  checked_at: MaybeTime
}

export interface OrdersTables {
  'market.orders': Orders
  'market.deliveries': Deliveries
  'market.delivery_checks': DeliveryChecks
  'market.delivery_notices': DeliveryNotices
  'market.delivery_notifications': DeliveryNotifications
  'market.rejections': Rejections
  'market.acceptances': Acceptances
}
