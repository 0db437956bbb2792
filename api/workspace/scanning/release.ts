import { sql } from 'kysely'
import { urnString } from '../../../protocol/urn.ts'
import type { Actor } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { announceScan, holdersOf } from './record.ts'

/** A file as operators see it: not what it is called, nor what it says. */
export interface ScannedFile {
  id: string
  org: string
  sha256: string
  size_bytes: bigint
  scan_state: 'unscanned' | 'clean' | 'infected' | 'unscannable' | 'released'
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

/** Releases an infected file, as an operator: it is served again. Throws 404, and 409 for one that is not infected. */
export async function releaseFile(tx: Tx, actor: Actor, fileId: string): Promise<ScannedFile> {
  const file = await move(tx, actor, fileId, 'released')
  for (const holder of await holdersOf(tx, fileId)) await announceScan(tx, holder, 'released')
  return file
}

/** Has a file scanned again, as an operator, whatever was said of it: until then it is not served. Throws the uniform 404. */
export async function rescanFile(tx: Tx, actor: Actor, fileId: string): Promise<ScannedFile> {
  return move(tx, actor, fileId, 'unscanned')
}

async function move(tx: Tx, actor: Actor, fileId: string, to: 'released' | 'unscanned'): Promise<ScannedFile> {
  let query = tx
    .updateTable('market.files')
    .set({ scan_state: to, ...(to === 'unscanned' ? { signature: null, scanned_at: null, scans: 0 } : {}) })
    .where('id', '=', fileId)
  if (to === 'released') query = query.where('scan_state', '=', 'infected')
  const { numUpdatedRows } = await query.executeTakeFirst()
  const file = await select(tx).where('file.id', '=', fileId).executeTakeFirst()
  if (!file) throw notFound('file')
  if (numUpdatedRows === 0n) {
    throw new Problem('workspace/not-infected', {
      detail: `Only infected files are released; this one is ${file.scan_state}.`,
    })
  }
  const action = to === 'released' ? 'file.release' : 'file.rescan'
  const subject = urnString('human', actor.humanId)
  await audit(tx, { actor: subject, action, subject, details: { file_id: fileId } })
  return file
}

function select(tx: Tx) {
  return tx
    .selectFrom('market.files as file')
    .innerJoin('market.orgs as org', 'org.id', 'file.org_id')
    .select(['file.id', 'org.slug as org', 'file.sha256', 'file.size_bytes', 'file.scan_state', 'file.signature'])
    .select(sql<Date | null>`file.scanned_at`.as('scanned_at'))
}

/** Returns a file in its wire form. */
export function toScannedFile({ size_bytes, scanned_at, ...row }: ScannedFile) {
  return { ...row, size_bytes: Number(size_bytes), scanned_at: scanned_at?.toISOString() ?? null }
}
