import { randomBytes } from 'node:crypto'
import type { Tx } from '../db/pool.ts'

/** One act that may have to be proved later. Actor and subject are URNs; details never hold a secret. */
export interface AuditEntry {
  actor: string
  action: string
  subject: string
  details?: Record<string, unknown>
}

const SALT_BYTES = 32

/**
 * Writes an audit entry in the transaction of the act and returns its id. The worker's sealing adds it to the hash
 * chain. The salt keeps the digest from revealing the text after an erasure.
 */
export async function audit(tx: Tx, { actor, action, subject, details }: AuditEntry): Promise<bigint> {
  const { id } = await tx
    .insertInto('market.audit_log')
    .values({
      actor,
      action,
      subject,
      details: details ? JSON.stringify(details) : null,
      salt: randomBytes(SALT_BYTES),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
