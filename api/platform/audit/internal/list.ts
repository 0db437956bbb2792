import { sql } from 'kysely'
import type { Tx } from '../../db/pool.ts'
import type { AuditPage } from '../routes.ts'

/** The subject of entries that concern the service itself, such as a restore of its database. */
const SERVICE = 'service'

interface AuditRow {
  position: bigint
  previous_hash: Buffer | null
  digest: Buffer
  chain_hash: Buffer
  is_readable: boolean
  actor: string
  action: string
  subject: string
  details: Record<string, unknown> | null
  salt: Buffer | null
  created_at: Date
}

/**
 * The starting position of a list of entries, and whether entries that do not concern the reader are left
 * out.
 */
export interface AuditFilter {
  after: number
  own: boolean
  limit: number
}

/**
 * Lists sealed entries after a position, in the order of the chain. Only entries that concern the account, or
 * the service itself, have content, as long as they are in the database.
 */
export async function listAuditEntries(tx: Tx, accountId: string, filter: AuditFilter): Promise<AuditPage['entries']> {
  const readers = sql`(select ${accountId}::uuid as id union all select agent from market.agents_of(${accountId}) agent)`
  const own = sql`
    select distinct own.position from ${readers} reader cross join lateral (
      select position from market.audit_accounts
      where account_id = reader.id and position > ${filter.after} order by position limit ${filter.limit}) own
    order by own.position limit ${filter.limit}`
  const { rows } = await sql<AuditRow>`
    select seal.position, before.chain_hash as previous_hash, seal.digest, seal.chain_hash,
      entry.subject = ${SERVICE} or exists (
        select from ${readers} reader join market.audit_accounts own on own.account_id = reader.id and own.position = seal.position)
        as is_readable,
      entry.actor, entry.action, entry.subject, entry.details, entry.salt, entry.created_at
    from ${filter.own ? sql`(${own}) own join market.audit_seals seal using (position)` : sql`market.audit_seals seal`}
    left join market.audit_log entry on entry.id = seal.entry_id
    left join market.audit_seals before on before.position = seal.position - 1
    where seal.position > ${filter.after}
    order by seal.position limit ${filter.limit}`.execute(tx)
  return rows.map(toEntry)
}

/** Returns the sealed entries after a position and up to another one, with all content. */
export async function listWholeEntries(tx: Tx, after: bigint, last: bigint): Promise<AuditPage['entries']> {
  const { rows } = await sql<AuditRow>`
    select seal.position, before.chain_hash as previous_hash, seal.digest, seal.chain_hash, true as is_readable,
      entry.actor, entry.action, entry.subject, entry.details, entry.salt, entry.created_at
    from market.audit_seals seal
    left join market.audit_log entry on entry.id = seal.entry_id
    left join market.audit_seals before on before.position = seal.position - 1
    where seal.position > ${after} and seal.position <= ${last}
    order by seal.position`.execute(tx)
  return rows.map(toEntry)
}

function toEntry(row: AuditRow): AuditPage['entries'][number] {
  const { actor, action, subject, details, salt } = row
  return {
    position: Number(row.position),
    previous_hash: row.previous_hash?.toString('hex') ?? '00'.repeat(32),
    digest: row.digest.toString('hex'),
    hash: row.chain_hash.toString('hex'),
    content:
      row.is_readable && salt
        ? { actor, action, subject, details, created_at: row.created_at.toISOString(), salt: salt.toString('hex') }
        : null,
  }
}
