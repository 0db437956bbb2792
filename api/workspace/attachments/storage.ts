import { sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import type { MarketRules, Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import { anyOf } from '../../platform/db/lists.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { contentReader } from './content.ts'
import type { FileType } from './mediaType.ts'
import { attachmentProblems } from './problems.ts'

type BlobPlace = Pick<Settings, 'blobDirectory' | 's3'>

/** Stored bytes that no row refers to yet. Bytes that stay without a row are removed later. */
export interface StoredBytes extends FileType {
  id: string
  sizeBytes: number
  /** Null for bytes that nobody has read as a whole yet: the worker will. */
  sha256: string | null
  /** The row that reserves room for the bytes, if there is one. */
  reservationId?: string
}

/**
 * Stores a file as it arrives, under a new id, and returns a description of it. Throws 413 at the first byte
 * beyond the limit; nothing is stored then.
 */
export async function storeBytes(
  settings: BlobPlace,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredBytes> {
  const id = newId()
  const reader = contentReader()
  async function* measured() {
    for await (const chunk of bytes) {
      reader.add(chunk)
      if (reader.sizeBytes() > maxBytes) throw fileTooLarge(maxBytes)
      yield chunk
    }
  }
  await blobsOf(settings).write(id, measured())
  return { id, ...reader.content() }
}

/** The problem for a file that is larger than the limit. */
export function fileTooLarge(maxBytes: number): Problem {
  return new Problem(attachmentProblems.fileTooLarge, {
    detail: `A file uploaded this way may have at most ${maxBytes} bytes.`,
  })
}

/** The storage that an org's files use, and the storage that uploads under way have reserved. */
export interface Usage {
  usedBytes: bigint
  reservedBytes: bigint
}

/** Returns the storage that an org's files use. */
export async function readUsage(db: Db | Tx, orgId: string): Promise<Usage> {
  const row = await db
    .selectFrom('market.storage_usage')
    .select(['used_bytes', 'reserved_bytes'])
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return { usedBytes: row?.used_bytes ?? 0n, reservedBytes: row?.reserved_bytes ?? 0n }
}

/** Locks the storage of an org, before a file is added or removed. */
export async function lockStorage(tx: Tx, orgId: string): Promise<void> {
  await tx
    .insertInto('market.storage_usage')
    .values({ org_id: orgId })
    .onConflict((conflict) => conflict.column('org_id').doNothing())
    .execute()
  await tx.selectFrom('market.storage_usage').select('org_id').where('org_id', '=', orgId).forUpdate().execute()
}

/**
 * Adds stored bytes to an org's files, in place of the room reserved for them. If a file has the same bytes,
 * returns that file and removes the new copy. Returns the file's id. Throws 413 if the quota of the org does
 * not allow it.
 */
export async function addFile(tx: Tx, rules: MarketRules, orgId: string, stored: StoredBytes): Promise<string> {
  if (stored.reservationId) await endReservation(tx, stored.reservationId)
  await lockStorage(tx, orgId)
  const same = stored.sha256 === null ? undefined : await findSameBytes(tx, orgId, stored.sha256)
  if (same !== undefined) {
    await tx.insertInto('market.blob_removals').values({ blob_id: stored.id }).execute()
    return same
  }
  const sizeBytes = BigInt(stored.sizeBytes)
  await take(tx, rules, orgId, 'used_bytes', sizeBytes)
  await tx
    .insertInto('market.files')
    .values({ id: stored.id, org_id: orgId, sha256: stored.sha256, size_bytes: sizeBytes, encoding: stored.encoding })
    .execute()
  return stored.id
}

/** Returns the id of an org's file with these bytes, if there is one. The storage must be locked. */
export async function findSameBytes(tx: Tx, orgId: string, sha256: string): Promise<string | undefined> {
  const same = await tx
    .selectFrom('market.files')
    .select('id')
    .where('org_id', '=', orgId)
    .where('sha256', '=', sha256)
    .where('scan_state', '<>', 'deleted')
    .executeTakeFirst()
  return same?.id
}

/** Removes the files of an org that no version has any more. The storage must be locked. */
export async function removeUnused(tx: Tx, orgId: string, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return
  const removed = await tx
    .deleteFrom('market.files')
    .where('id', '=', anyOf(fileIds))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('market.attachment_versions')
            .select('file_id')
            .whereRef('market.attachment_versions.file_id', '=', 'market.files.id'),
        ),
      ),
    )
    .returning(['size_bytes', 'scan_state'])
    .execute()
  // The room of a file whose bytes were deleted was given back then.
  const kept = removed.filter(({ scan_state }) => scan_state !== 'deleted')
  await giveBack(
    tx,
    orgId,
    kept.reduce((sum, { size_bytes }) => sum + size_bytes, 0n),
  )
}

/**
 * Removes the bytes of an infected file, its text and its previews for ever; the versions that have it stay.
 * Returns false if it is not infected. The storage must be locked.
 */
export async function deleteBytes(tx: Tx, orgId: string, fileId: string): Promise<boolean> {
  const deleted = await tx
    .updateTable('market.files')
    .set({ scan_state: 'deleted', text_state: 'unsupported', preview_state: 'unsupported' })
    .where('id', '=', fileId)
    .where('scan_state', '=', 'infected')
    .returning('size_bytes')
    .executeTakeFirst()
  if (!deleted) return false
  await tx.deleteFrom('market.file_texts').where('file_id', '=', fileId).execute()
  await tx.deleteFrom('market.previews').where('file_id', '=', fileId).execute()
  await tx.insertInto('market.blob_removals').values({ blob_id: fileId }).execute()
  await giveBack(tx, orgId, deleted.size_bytes)
  return true
}

async function giveBack(tx: Tx, orgId: string, sizeBytes: bigint): Promise<void> {
  await tx
    .updateTable('market.storage_usage')
    .set({ used_bytes: sql<bigint>`used_bytes - ${sizeBytes}` })
    .where('org_id', '=', orgId)
    .execute()
}

/** Reserves room for an upload under way. Throws 413 if the quota of the org does not allow it. */
export async function reserveBytes(tx: Tx, rules: MarketRules, orgId: string, sizeBytes: bigint): Promise<void> {
  await lockStorage(tx, orgId)
  await take(tx, rules, orgId, 'reserved_bytes', sizeBytes)
}

/** Gives back the room that an upload had reserved. */
export async function releaseBytes(tx: Tx, orgId: string, sizeBytes: bigint): Promise<void> {
  await tx
    .updateTable('market.storage_usage')
    .set({ reserved_bytes: sql<bigint>`reserved_bytes - ${sizeBytes}` })
    .where('org_id', '=', orgId)
    .execute()
}

/**
 * Ends a reservation, or an upload in parts; a trigger gives back its reserved room. Does nothing if it is
 * gone.
 */
export async function endReservation(db: Db | Tx, id: string): Promise<void> {
  await db.deleteFrom('market.uploads').where('id', '=', id).execute()
}

async function take(
  tx: Tx,
  { maxOrgBytes }: MarketRules,
  orgId: string,
  column: 'used_bytes' | 'reserved_bytes',
  sizeBytes: bigint,
) {
  const { numUpdatedRows } = await tx
    .updateTable('market.storage_usage')
    .set({ [column]: sql<bigint>`${sql.ref(column)} + ${sizeBytes}` })
    .where('org_id', '=', orgId)
    .where(sql<boolean>`used_bytes + reserved_bytes + ${sizeBytes} <= ${maxOrgBytes}`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw quotaExceeded(maxOrgBytes)
}

/** Throws 413 if this many more bytes would exceed an org's quota now. */
export async function requireRoom(db: Db | Tx, rules: MarketRules, orgId: string, sizeBytes: number): Promise<void> {
  const { usedBytes, reservedBytes } = await readUsage(db, orgId)
  if (usedBytes + reservedBytes + BigInt(sizeBytes) > BigInt(rules.maxOrgBytes)) throw quotaExceeded(rules.maxOrgBytes)
}

/** The problem for a file that does not fit in an org's quota. */
export function quotaExceeded(maxOrgBytes: number): Problem {
  return new Problem(attachmentProblems.quotaExceeded, {
    detail: `The files of an org may take up ${maxOrgBytes} bytes, and this one does not fit. The trash counts too.`,
  })
}
