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
  const [id] = await auditAll(tx, [entry])
  if (id === undefined) throw new Error('the audit entry was not written')
  return id
}

/** Writes the audit entries of several acts, in their order. Answers their ids. */
export async function auditAll(tx: Tx, entries: readonly AuditEntry[]): Promise<bigint[]> {
  if (entries.length === 0) return []
  const rows = await tx
    .insertInto('market.audit_log')
    .values(
      entries.map(({ actor, action, subject, details }) => ({
        actor,
        action,
        subject,
        details: details ? JSON.stringify(details) : null,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
