import type { Generated } from 'kysely'
import type { MaybeTime, Time } from './columns.ts'

interface Exports {
  id: string
  human_id: string
  state: 'pending' | 'ready' | 'expired'
  next_section: Generated<number>
  after_id: string | null
  chunks: Generated<number>
  size_bytes: Generated<bigint>
  sha256: string | null
  created_at: Time
  finished_at: MaybeTime
  expires_at: MaybeTime
}

interface ExportChunks {
  export_id: string
  sequence: number
  bytes: Buffer
  blob_id: string | null
}

interface BlobRemovals {
  blob_id: string
  created_at: Time
}

export interface ExportsTables {
  'market.exports': Exports
  'market.export_chunks': ExportChunks
  'market.blob_removals': BlobRemovals
}
