import type { Tx } from '../db/pool.ts'

/**
 * One act that may have to be proved later. Actor and subject are URNs. Details never hold a secret. Their
 * names are ASCII and their numbers safe integers, else the insert is refused (schema,
 * market.canonical_json).
 */
export interface AuditEntry {
  actor: string
  action: string
  subject: string
  details?: Record<string, unknown>
}

/** Returns the statement that `audit` runs, for use in another statement that needs the entry's id. */
export function auditEntry(tx: Pick<Tx, 'insertInto'>, { actor, action, subject, details }: AuditEntry) {
  return tx
    .insertInto('market.audit_log')
    .values({ actor, action, subject, details: details ? JSON.stringify(details) : null })
    .returning('id')
}

/**
 * Writes an audit entry in the transaction of the act and returns its id. The worker adds it to the hash
 * chain later.
 */
export async function audit(tx: Tx, entry: AuditEntry): Promise<bigint> {
  const { id } = await auditEntry(tx, entry).executeTakeFirstOrThrow()
  return id
}
