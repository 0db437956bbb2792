import type { AuditEntry } from './audit.ts'
import type { EventInput } from './events.ts'
import type { Tx } from './pool.ts'
import { unreadStatement } from './statement.ts'

const insertBoth = unreadStatement(`
  with told as (insert into market.events (event_type, payload, visible_to) values ($1, $2, $3))
  insert into market.audit_log (actor, action, subject, details) values ($4, $5, $6, $7)`)

/** Writes the event and the audit entry of one act: as emit and audit do, in one statement that is not waited for. */
export async function emitAudited(tx: Tx, event: EventInput, entry: AuditEntry): Promise<void> {
  const details = entry.details ? JSON.stringify(entry.details) : null
  const told = [event.type, JSON.stringify(event.payload), [...event.visibleTo]]
  await insertBoth(tx, [...told, entry.actor, entry.action, entry.subject, details])
}
