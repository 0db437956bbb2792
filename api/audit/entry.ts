import { auditDigest } from '../../protocol/auditChain.ts'

/** An audit entry as its row holds it. */
export interface AuditEntryRow {
  id: bigint
  actor: string
  action: string
  subject: string
  details: Record<string, unknown> | null
  /** Gone where a person was erased: then the digest was made before. */
  salt: Buffer | null
  digest: Buffer | null
  created_at: Date
}

/** What stands for an entry in the chain. Throws for one that has lost its salt and has no digest. */
export function digestOf({ digest, salt, created_at, ...said }: AuditEntryRow): Buffer {
  if (digest) return digest
  if (!salt) throw new Error('an audit entry has neither a digest nor a salt')
  return auditDigest({ ...said, created_at: created_at.toISOString() }, salt)
}
