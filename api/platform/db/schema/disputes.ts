import type { Generated } from 'kysely'
import type { Json, MaybeTime, Time } from './columns.ts'

export type DisputeState = 'open' | 'pre_review' | 'arbitrating' | 'in_review' | 'decided' | 'executing' | 'closed'

export type DisputeOutcome = 'verdict' | 'settlement' | 'concession' | 'release' | 'chain'

type Side = 'buyer' | 'seller'

export interface Disputes {
  id: string
  order_id: string
  state: DisputeState
  opener: Side
  buyer_ready_at: MaybeTime
  seller_ready_at: MaybeTime
  buyer_waived_at: MaybeTime
  seller_waived_at: MaybeTime
  flags: Generated<string[]>
  reviewers: Generated<number>
  appeal_heard_until: MaybeTime
  due_at: MaybeTime
  outcome: DisputeOutcome | null
  refund_micros: bigint | null
  opened_at: Time
  closed_at: MaybeTime
}

interface AppealStatements {
  dispute_id: string
  party: Side
  author_id: string
  statement: string
  screening: Json<{ score: number; families: string[] }>
  created_at: Time
}

interface HostileTexts {
  dispute_id: string
  author_id: string
  confirmed_at: Time
}

interface DisputeStatements {
  dispute_id: string
  party: Side
  author_id: string
  grounds: string[]
  what_happened: string
  wanted: string | null
  refund_micros: bigint | null
  created_at: Time
}

interface DisputeEvidence {
  id: string
  dispute_id: string
  party: Side
  message_id: string | null
  delivery_id: string | null
  created_at: Time
}

interface EvidenceFiles {
  id: string
  dispute_id: string
  party: Side
  author_id: string
  stage: 'evidence' | 'appeal'
  sha256: string
  size_bytes: bigint
  is_blank: boolean
  excerpt: string | null
  screening: Json<{ score: number; families: string[] }> | null
  filename: string | null
  created_at: Time
}

interface DisputeRecords {
  dispute_id: string
  facts: string
  record: string
  screening: string
  evidence_sha256: string
  frozen_at: Time
}

interface Arbitrations {
  dispute_id: string
  attempts: Generated<number>
  ask_at: MaybeTime
  result: string | null
  created_at: Time
}

interface Verdicts {
  id: string
  dispute_id: string
  sequence: number
  kind: 'rules' | 'model' | 'human' | 'fallback'
  winner: Side
  payer_micros: bigint
  payee_micros: bigint
  fee_micros: bigint
  document: string
  key_id: string
  signature: string
  signed_at: Time
}

interface Reviews {
  id: string
  dispute_id: string
  reviewer_id: string
  assigned_at: Time
  read_at: MaybeTime
  ended_at: MaybeTime
  refund_micros: bigint | null
  grounds: string | null
  decided_at: MaybeTime
}

export interface DisputesTables {
  'market.reviews': Reviews
  'market.disputes': Disputes
  'market.dispute_statements': DisputeStatements
  'market.appeal_statements': AppealStatements
  'market.hostile_texts': HostileTexts
  'market.dispute_evidence': DisputeEvidence
  'market.evidence_files': EvidenceFiles
  'market.dispute_records': DisputeRecords
  'market.arbitrations': Arbitrations
  'market.verdicts': Verdicts
}
