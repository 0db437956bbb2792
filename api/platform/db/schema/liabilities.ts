import type { Generated } from 'kysely'
import type { Json, Time } from './columns.ts'

interface Liabilities {
  block_number: bigint
  document: Json<Record<string, unknown>>
  key_id: string
  signature: string
  has_tree: Generated<boolean>
  created_at: Time
}

interface LiabilityLeaves {
  block_number: bigint
  account_id: bigint
  position: bigint
  amount: bigint
  salt: Buffer
}

interface LiabilityNodes {
  block_number: bigint
  level: number
  page: number
  nodes: Buffer
}

export interface LiabilitiesTables {
  'market.liabilities': Liabilities
  'market.liability_leaves': LiabilityLeaves
  'market.liability_nodes': LiabilityNodes
}
