import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { canonicalJson } from '../../protocol/canonical.ts'
import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { JobServices } from './services.ts'

const AT_ONCE = 500
// Any constant: whoever seals holds it, the others pass.
const SEAL_LOCK = 4_021_986_503n
const GENESIS = Buffer.alloc(32)

interface Entry {
  id: bigint
  actor: string
  action: string
  subject: string
  details: Record<string, unknown> | null
  salt: Buffer
  created_at: Date
}

/**
 * Joins audit entries to the hash chain, in the order of (transaction id, id), as far as nothing can appear before them
 * any more. digest = SHA-256(salt ‖ canonical JSON of the entry); link = SHA-256(link before ‖ digest).
 */
export async function sealAuditLog({ db }: JobServices): Promise<void> {
  await inTransaction(db, 'read write', async (tx) => {
    const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${SEAL_LOCK}) as held`.execute(tx)
    if (rows[0]?.held) await seal(tx)
  })
}

async function seal(tx: Tx): Promise<void> {
  const { rows: entries } = await sql<Entry>`
    select id, actor, action, subject, details, salt, created_at from market.audit_log
    where position is null and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    order by transaction_id, id limit ${AT_ONCE}`.execute(tx)
  if (entries.length === 0) return
  const head = await tx
    .selectFrom('market.audit_log')
    .select(['position', 'chain_hash'])
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  let link = head?.chain_hash ?? GENESIS
  let position = head?.position ?? 0n
  const sealed = entries.map((entry) => {
    const digest = auditDigest(entry)
    link = sha256(link, digest)
    position += 1n
    return { id: entry.id, position, digest, link }
  })
  await sql`
    update market.audit_log entry set position = given.position, digest = given.digest, chain_hash = given.link
    from unnest(${sealed.map(({ id }) => id)}::bigint[], ${sealed.map((one) => one.position)}::bigint[],
      ${sealed.map(({ digest }) => digest)}::bytea[], ${sealed.map((one) => one.link)}::bytea[])
      as given(id, position, digest, link)
    where entry.id = given.id`.execute(tx)
}

/** What stands for an entry in the chain: it can be checked by whoever has the entry and its salt, and tells nobody else. */
export function auditDigest({ actor, action, subject, details, salt, created_at }: Omit<Entry, 'id'>): Buffer {
  const said = canonicalJson({ actor, action, subject, details, created_at: created_at.toISOString() })
  return sha256(salt, Buffer.from(said))
}

function sha256(...parts: Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
