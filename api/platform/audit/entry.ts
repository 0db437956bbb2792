import { auditDigest } from '../../../protocol/auditChain.ts'

/** An audit entry as stored. */
export interface AuditEntryRow {
  id: bigint
  actor: string
  action: string
  subject: string
  details: Record<string, unknown> | null
  /** Null after a person was erased; the digest is then already stored. */
  salt: Buffer | null
  digest: Buffer | null
  created_at: Date
}

/** Returns the digest that represents an entry in the chain. Throws for an entry without a salt and a digest. */
export function digestOf({ digest, salt, created_at, ...said }: AuditEntryRow): Buffer {
  if (digest) return digest
  if (!salt) throw new Error('an audit entry has neither a digest nor a salt')
  return Buffer.from(auditDigest({ ...said, created_at: created_at.toISOString() }, salt))
}
