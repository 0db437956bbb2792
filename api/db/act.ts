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

const insertMany = unreadStatement(`
  with act as materialized (
    select event_type, payload, visible_to, actor, action, subject, details
    from jsonb_to_recordset($1::jsonb) as given(event_type text, payload jsonb, visible_to uuid[],
      actor text, action text, subject text, details jsonb)
  ), told as (insert into market.events (event_type, payload, visible_to)
    select event_type, payload, visible_to from act)
  insert into market.audit_log (actor, action, subject, details) select actor, action, subject, details from act`)

/** Writes the events and the audit entries of several acts, in their order: as emitAudited does each, in one statement. */
export async function emitAuditedAll(tx: Tx, acts: readonly { event: EventInput; entry: AuditEntry }[]): Promise<void> {
  const rows = acts.map(({ event: { type, payload, visibleTo }, entry }) => ({
    ...{ event_type: type, payload, visible_to: visibleTo },
    ...{ actor: entry.actor, action: entry.action, subject: entry.subject, details: entry.details ?? null },
  }))
  await insertMany(tx, [JSON.stringify(rows)])
}
