import { sql } from 'kysely'
import { AUDIT_GENESIS, auditLink } from '../../../protocol/auditChain.ts'
import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { JobServices } from '../jobs/services.ts'
import { AUDIT_LOCK, attributeSealed } from './attribution.ts'
import { type AuditEntryRow, digestOf } from './entry.ts'

const AT_ONCE = 500

/**
 * Adds audit entries to the hash chain in the order of (transaction id, id), by the recipe of docs/audit-log.md, and
 * stores which accounts they concern. Stops where a transaction that is still open could add an earlier entry.
 */
export async function sealAuditLog({ db }: JobServices): Promise<void> {
  while (await inTransaction(db, 'read write', sealSome));
}

/** Returns true when there may be more to seal. */
async function sealSome(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${AUDIT_LOCK}) as held`.execute(tx)
  if (!rows[0]?.held) return false
  const sealed = await seal(tx)
  await attributeSealed(tx, AT_ONCE)
  return sealed === AT_ONCE
}

/** Returns how many entries were sealed. */
async function seal(tx: Tx): Promise<number> {
  const { rows: entries } = await sql<AuditEntryRow>`
    select id, actor, action, subject, details, salt, digest, created_at from market.audit_log
    where position is null and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    order by transaction_id, id limit ${AT_ONCE}`.execute(tx)
  if (entries.length === 0) return 0
  const head = await tx
    .selectFrom('market.audit_log')
    .select(['position', 'chain_hash'])
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  let link: Uint8Array = head?.chain_hash ?? AUDIT_GENESIS
  let position = head?.position ?? 0n
  const sealed = entries.map((entry) => {
    const digest = digestOf(entry)
    link = auditLink(link, digest)
    position += 1n
    return { id: entry.id, position, digest, link }
  })
  await sql`
    update market.audit_log entry set position = given.position, digest = given.digest, chain_hash = given.link
    from unnest(${sealed.map(({ id }) => id)}::bigint[], ${sealed.map((one) => one.position)}::bigint[],
      ${sealed.map(({ digest }) => digest)}::bytea[], ${sealed.map((one) => one.link)}::bytea[])
      as given(id, position, digest, link)
    where entry.id = given.id`.execute(tx)
  return entries.length
}
