import { gatherable, writeGathered } from './gather.ts'
import type { Tx } from './pool.ts'
import { statement } from './statement.ts'

/** One act worth proving later. Actor and subject are URN strings; details never hold a secret. */
export interface AuditEntry {
  actor: string
  action: string
  subject: string
  details?: Record<string, unknown>
}

const insertEntry = statement<{ id: bigint }>(
  'insert into market.audit_log (actor, action, subject, details) values ($1, $2, $3, $4) returning id',
)

const insertEntries = statement<never>(`
  insert into market.audit_log (actor, action, subject, details) select actor, action, subject, details
  from jsonb_to_recordset($1::jsonb) as given(actor text, action text, subject text, details jsonb)`)

/** Writes an audit entry in the transaction of the act. It joins the hash chain when the worker seals it. */
export const audit = gatherable(async (tx: Tx, entries: readonly AuditEntry[]) => {
  const [entry] = entries
  if (entry && entries.length === 1) await insertEntry(tx, columnsOf(entry))
  else await insertEntries(tx, [JSON.stringify(entries)])
})

/** As audit, for whoever has to name the entry: answers its id. */
export async function auditNamed(tx: Tx, entry: AuditEntry): Promise<bigint> {
  // What was done before it stands before it.
  await writeGathered(tx)
  const [written] = await insertEntry(tx, columnsOf(entry))
  if (!written) throw new Error('an audit entry was not written')
  return written.id
}

function columnsOf({ actor, action, subject, details }: AuditEntry): unknown[] {
  return [actor, action, subject, details ? JSON.stringify(details) : null]
}
