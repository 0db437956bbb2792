import type { Tx } from './pool.ts'

/** One act worth proving later. Actor and subject are URN strings; details never hold a secret. */
export interface AuditEntry {
  actor: string
  action: string
  subject: string
  details?: Record<string, unknown>
}

/** Writes an audit entry in the transaction of the act. It joins the hash chain when the worker seals it. Answers its id. */
export async function audit(tx: Tx, entry: AuditEntry): Promise<bigint> {
  const { id } = await tx
    .insertInto('market.audit_log')
    .values({
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      details: entry.details ? JSON.stringify(entry.details) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
