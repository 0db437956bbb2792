import { randomBytes } from 'node:crypto'
import { gatherable, writeGathered } from './gather.ts'
import type { Tx } from './pool.ts'
import { statement, unreadStatement } from './statement.ts'

/** One act worth proving later. Actor and subject are URN strings; details never hold a secret. */
export interface AuditEntry {
  actor: string
  action: string
  subject: string
  details?: Record<string, unknown>
}

const SALT_BYTES = 32
const SALTS_AT_ONCE = 128
let salts = Buffer.alloc(0)

const INSERT_ENTRY = 'insert into market.audit_log (actor, action, subject, details, salt) values ($1, $2, $3, $4, $5)'
const insertEntry = unreadStatement(INSERT_ENTRY)
const insertNamed = statement<{ id: bigint }>(`${INSERT_ENTRY} returning id`)

const insertEntries = unreadStatement(`
  insert into market.audit_log (actor, action, subject, details, salt) select actor, action, subject, details, salt
  from jsonb_to_recordset($1::jsonb) as given(actor text, action text, subject text, details jsonb, salt bytea)`)

/** Has an audit entry written in the transaction of the act, before its next statement. It joins the hash chain when the worker seals it. */
export const audit = gatherable(async (tx: Tx, entries: readonly AuditEntry[]) => {
  const [entry] = entries
  if (entry && entries.length === 1) await insertEntry(tx, entryColumns(entry))
  else await insertEntries(tx, [JSON.stringify(entries.map(withSalt))])
})

/** As audit, for whoever has to name the entry: answers its id. */
export async function auditNamed(tx: Tx, entry: AuditEntry): Promise<bigint> {
  // What was done before it stands before it.
  await writeGathered(tx)
  const [written] = await insertNamed(tx, entryColumns(entry))
  if (!written) throw new Error('an audit entry was not written')
  return written.id
}

/** An entry as `market.audit_log` has it: who, what, to what, the details, and the salt of its digest. */
export function entryColumns({ actor, action, subject, details }: AuditEntry): unknown[] {
  return [actor, action, subject, details ? JSON.stringify(details) : null, newSalt()]
}

function withSalt(entry: AuditEntry) {
  return { ...entry, salt: `\\x${newSalt().toString('hex')}` }
}

/** Cryptographic, each given out once. Made here and many at once: what a generator costs is mostly being asked. */
function newSalt(): Buffer {
  if (salts.length === 0) salts = randomBytes(SALT_BYTES * SALTS_AT_ONCE)
  const salt = salts.subarray(0, SALT_BYTES)
  salts = salts.subarray(SALT_BYTES)
  return salt
}
