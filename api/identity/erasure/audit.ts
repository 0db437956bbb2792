import { sql } from 'kysely'
import { AUDIT_LOCK, attributions } from '../../platform/audit/attribution.ts'
import { type AuditEntryRow, digestOf } from '../../platform/audit/entry.ts'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Destroys the salt and the details of audit entries about the acts of a human and their agents, and about changes to
 * their accounts. The digests stay, so the chain still verifies; entries without a digest yet get one now. Entries
 * about what happened to their orders also concern the other party, and stay.
 */
export async function eraseAuditEntries(tx: Tx, humanId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${AUDIT_LOCK})`.execute(tx)
  await sql`
    update market.audit_log entry set salt = null, details = null
    from market.audit_accounts own
    where own.account_id = ${humanId} and own.role in ('actor', 'subject') and entry.position = own.position`.execute(
    tx,
  )
  const { rows } = await sql<AuditEntryRow>`
    select entry.id, actor, action, subject, details, salt, digest, created_at
    from market.audit_log entry
    join (${attributions(sql`not entry.is_attributed`)}) own on own.id = entry.id
    where own.account_id = ${humanId} and own.role in ('actor', 'subject')`.execute(tx)
  for (const entry of rows) {
    await tx
      .updateTable('market.audit_log')
      .set({ digest: digestOf(entry), salt: null, details: null })
      .where('id', '=', entry.id)
      .execute()
  }
}
