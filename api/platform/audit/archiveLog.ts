import { type Selectable, sql } from 'kysely'
import type { Database } from '../db/generated/tables.ts'
import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { JobServices } from '../jobs/services.ts'
import { type HeadRow, isOurs, toHead } from './head.ts'
import { ArchiveFault, readArchive, writeArchive } from './internal/archiveFile.ts'
import { listWholeEntries } from './internal/list.ts'
import type { AuditArchive } from './routes.ts'

/** Most archives have nearly this many entries: a head is signed for every 500. */
const MAX_ENTRIES = 10_000n
/**
 * Anyone with the login of the worker can insert unsigned heads. This many of them at one position cannot
 * hide ours.
 */
const LOOKED_AT = 1_000

type ArchiveRow = Selectable<Database['market.audit_archives']>

/** A partition of entries that are past their retention; the positions are null if it has no entries. */
interface ExpiredPartition {
  first: bigint | null
  last: bigint | null
}

/**
 * Returns a job that archives the entries that are past their retention and drops them, a partition at a time
 * (schema, market.expired_audit_partition). A partition is dropped once every archive of its entries was read
 * and verified. A crash between any two steps leaves at most a file that no row names, which sweepBlobs
 * removes. First it writes anew the archives that tell what was erased since, and verifies one archive, the
 * next at each run. An archive that is missing or was changed raises an alarm, and what it has is not
 * dropped.
 */
export function auditArchiver(): (services: JobServices) => Promise<void> {
  let verified = 0n
  return async (services) => {
    try {
      await empty(services)
      const archives = services.db.selectFrom('market.audit_archives').selectAll().orderBy('first_position').limit(1)
      const next = await archives.where('first_position', '>', verified).executeTakeFirst()
      verified = next?.first_position ?? 0n
      if (next) await readRow(services, next)
      await archiveExpired(services)
    } catch (error) {
      if (!(error instanceof ArchiveFault)) throw error
      services.log.error({ alarm: true, fault: error.message }, 'an archive of the audit log is not as it was written')
    }
  }
}

async function archiveExpired(services: JobServices): Promise<void> {
  for (let expired = await findExpired(services); expired; expired = await findExpired(services)) {
    await archiveTo(services, expired.last ?? 0n)
    for (const row of await archivesOf(services, expired)) await readRow(services, row)
    const { rows } = await sql<{ dropped: boolean }>`
      select market.drop_archived_audit_partition() as dropped`.execute(services.db)
    if (!rows[0]?.dropped) return
  }
}

/** Writes the archives up to a position. Stops when another worker writes them. */
async function archiveTo(services: JobServices, last: bigint): Promise<void> {
  for (let isFirst = true; isFirst; ) {
    const archive = await inTransaction(services.db, 'read only', (tx) => collect(tx, services, last))
    if (!archive) return
    const { blobId, sha256 } = await writeArchive(services, archive)
    const first = archive.entries[0]?.position ?? 0
    const { rows } = await sql<{ added: boolean }>`
      select market.add_audit_archive(${first}, ${archive.head.document.position}, ${blobId}, ${sha256}, ${told(archive)}) as added`.execute(
      services.db,
    )
    isFirst = rows[0]?.added ?? false
  }
}

/**
 * Returns the next archive, if the last one ends before a position. Throws an ArchiveFault if there is no
 * signed head for it.
 */
async function collect(tx: Tx, { settings }: JobServices, last: bigint): Promise<AuditArchive | undefined> {
  const { rows: ends } = await sql<{ end: bigint }>`
    select coalesce(max(last_position), 0) as end from market.audit_archives`.execute(tx)
  const after = ends[0]?.end ?? 0n
  if (after >= last) return undefined
  const { rows: heads } = await sql<HeadRow>`
    select * from market.audit_heads where position > ${after} and position <= ${after + MAX_ENTRIES}
    order by position desc, id limit ${LOOKED_AT}`.execute(tx)
  for (const head of heads) {
    if (!(await isOurs(tx, settings, head))) continue
    return { head: toHead(head), entries: await listWholeEntries(tx, after, head.position) }
  }
  throw new ArchiveFault(`no head of ours is among those after position ${after}`)
}

/** Writes anew the archives that tell of erased entries. Their former files are removed. */
async function empty(services: JobServices): Promise<void> {
  const { rows } = await sql<ArchiveRow & { emptied: string[] }>`
    select archive.*, emptied.positions as emptied from market.audit_archives archive
    cross join lateral (
      select array_agg(position) as positions from market.audit_emptied
      where position between archive.first_position and archive.last_position) emptied
    where emptied.positions is not null order by first_position`.execute(services.db)
  for (const row of rows) {
    const erased = new Set(row.emptied.map(Number))
    const { head, entries } = await readRow(services, row)
    const { blobId, sha256 } = await writeArchive(services, {
      head,
      entries: entries.map((entry) => (erased.has(entry.position) ? { ...entry, content: null } : entry)),
    })
    await sql`select market.replace_audit_archive(${row.blob_id}, ${blobId}, ${sha256}, ${row.emptied}::bigint[])`.execute(
      services.db,
    )
  }
}

async function readRow(services: JobServices, row: ArchiveRow): Promise<AuditArchive> {
  const archive = await readArchive(services, { blobId: row.blob_id, sha256: row.sha256 })
  const { position } = archive.head.document
  if (archive.entries[0]?.position !== Number(row.first_position) || position !== Number(row.last_position))
    throw new ArchiveFault(`the file is not of the entries ${row.first_position} to ${row.last_position}`)
  return archive
}

async function findExpired({ db }: JobServices): Promise<ExpiredPartition | undefined> {
  const { rows } = await sql<ExpiredPartition>`
    select first_position as first, last_position as last from market.expired_audit_partition()`.execute(db)
  return rows[0]
}

async function archivesOf({ db }: JobServices, { first, last }: ExpiredPartition): Promise<ArchiveRow[]> {
  if (first === null || last === null) return []
  const archives = db.selectFrom('market.audit_archives').selectAll().orderBy('first_position')
  return archives.where('last_position', '>=', first).where('first_position', '<=', last).execute()
}

function told({ entries }: AuditArchive): number {
  return entries.filter(({ content }) => content !== null).length
}
