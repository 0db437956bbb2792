import { sql } from 'kysely'
import { inTransaction } from '../db/transaction.ts'
import type { JobServices } from '../jobs/services.ts'
import { keepHead } from './head.ts'

const AT_ONCE = 500

/**
 * Adds the committed entries to the hash chain, by the recipe in docs/audit-log.md (schema,
 * market.seal_audit_entries), and signs the end of the chain.
 */
export async function sealAuditLog({ db, settings }: JobServices): Promise<void> {
  for (let sealed = AT_ONCE; sealed === AT_ONCE; ) {
    sealed = await inTransaction(db, 'read write', async (tx) => {
      const { rows } = await sql<{ sealed: number }>`select market.seal_audit_entries(${AT_ONCE}) as sealed`.execute(tx)
      await keepHead(tx, settings)
      return rows[0]?.sealed ?? 0
    })
  }
}
