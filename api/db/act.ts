import { type AuditEntry, entryColumns } from './audit.ts'
import { type EventInput, eventColumns } from './events.ts'
import type { Tx } from './pool.ts'
import { unreadStatement } from './statement.ts'

const insertBoth = unreadStatement(`
  with told as (insert into market.events (event_id, event_type, payload, visible_to) values ($1, $2, $3, $4))
  insert into market.audit_log (actor, action, subject, details, salt) values ($5, $6, $7, $8, $9)`)

/** Writes the event and the audit entry of one act: as emit and audit do, in one statement that is not waited for. */
export async function emitAudited(tx: Tx, event: EventInput, entry: AuditEntry): Promise<void> {
  await insertBoth(tx, [...eventColumns(event), ...entryColumns(entry)])
}
