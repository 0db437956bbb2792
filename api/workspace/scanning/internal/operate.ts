import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { ScanState } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { attachmentProblems } from '../../attachments/problems.ts'
import { deleteBytes, lockStorage } from '../../attachments/storage.ts'
import { announceScan, holdersOf } from './record.ts'

/** A file as operators see it: without its name and its content. */
export interface ScannedFile {
  id: string
  org: string
  sha256: string
  size_bytes: bigint
  scan_state: ScanState
  signature: string | null
  scanned_at: Date | null
}

/** Lists the infected files, newest first, starting below an id. */
export async function listInfected(
  tx: Tx,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<ScannedFile[]> {
  let query = select(tx).where('file.scan_state', '=', 'infected')
  if (from !== undefined) query = query.where('file.id', '<', from)
  return query.orderBy('file.id', 'desc').limit(limit).execute()
}

/**
 * Releases an infected file, as an operator: it is served again. Throws 404, and 409 for one that is not
 * infected.
 */
export async function releaseFile(tx: Tx, actor: Actor, fileId: string): Promise<ScannedFile> {
  const { numUpdatedRows } = await tx
    .updateTable('market.files')
    .set({ scan_state: 'released' })
    .where('id', '=', fileId)
    .where('scan_state', '=', 'infected')
    .executeTakeFirst()
  const file = await findFile(tx, fileId)
  if (numUpdatedRows === 0n) throw notInfected(file)
  for (const holder of await holdersOf(tx, fileId)) await announceScan(tx, holder, 'released')
  return audited(tx, actor, 'file.release', file)
}

/**
 * Has a file scanned again, as an operator, whatever the last result was. The file is not served until then.
 * Throws 404, and 409 for a file whose bytes were deleted.
 */
export async function rescanFile(tx: Tx, actor: Actor, fileId: string): Promise<ScannedFile> {
  const { numUpdatedRows } = await tx
    .updateTable('market.files')
    .set({ scan_state: 'unscanned', signature: null, scanned_at: null, scans: 0 })
    .where('id', '=', fileId)
    .where('scan_state', '<>', 'deleted')
    .executeTakeFirst()
  const file = await findFile(tx, fileId)
  if (numUpdatedRows === 0n) throw notInfected(file)
  return audited(tx, actor, 'file.rescan', file)
}

/**
 * Deletes the bytes of an infected file for ever, as an operator. The versions that had them stay, and say
 * so. Throws 404, and 409 for a file that is not infected.
 */
export async function deleteFile(tx: Tx, actor: Actor, fileId: string): Promise<ScannedFile> {
  const { org_id: orgId } = await findFile(tx, fileId)
  await lockStorage(tx, orgId)
  const isDeleted = await deleteBytes(tx, orgId, fileId)
  const file = await findFile(tx, fileId)
  if (!isDeleted) throw notInfected(file)
  for (const holder of await holdersOf(tx, fileId)) await announceScan(tx, holder, 'deleted')
  return audited(tx, actor, 'file.delete', file)
}

async function findFile(tx: Tx, fileId: string) {
  const file = await select(tx).select('file.org_id').where('file.id', '=', fileId).executeTakeFirst()
  if (file) return file
  throw notFound('file')
}

function notInfected({ scan_state }: ScannedFile): Problem {
  return new Problem(attachmentProblems.notInfected, {
    detail: `This call is for infected files; this one is ${scan_state}.`,
  })
}

async function audited(tx: Tx, actor: Actor, action: string, file: ScannedFile): Promise<ScannedFile> {
  const subject = urnString('human', actor.humanId)
  await audit(tx, { actor: subject, action, subject, details: { file_id: file.id } })
  return file
}

function select(tx: Tx) {
  return tx
    .selectFrom('market.files as file')
    .innerJoin('market.orgs as org', 'org.id', 'file.org_id')
    .where('file.sha256', 'is not', null)
    .select((file) => [
      'file.id',
      'org.slug as org',
      file.ref('file.sha256').$notNull().as('sha256'),
      'file.size_bytes',
      'file.scan_state',
      'file.signature',
    ])
    .select(sql<Date | null>`file.scanned_at`.as('scanned_at'))
}

/** Returns a file in its wire form. */
export function toScannedFile({ id, org, sha256, size_bytes, scan_state, signature, scanned_at }: ScannedFile) {
  const known = { id, org, sha256, scan_state, signature }
  return { ...known, size_bytes: Number(size_bytes), scanned_at: scanned_at?.toISOString() ?? null }
}
