import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import { withCopy } from '../../platform/blobs/store.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { findBubblewrap } from '../../platform/isolation/isolate.ts'
import { beginAttempt } from '../../platform/jobs/attempts.ts'
import { forEachPending } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { keepMade, type Made } from './internal/keep.ts'
import { makePreviews, makeText } from './internal/make.ts'

const MAX_READ_BYTES = 100_000_000
const FAILED: Made = { text: { state: 'failed', text: '' }, previews: { state: 'failed', previews: [] } }

interface PendingFile {
  id: string
  org_id: string
  size_bytes: bigint
  media_type: string
  encoding: string | null
}

/**
 * Makes the texts and previews of files that have none yet. A file that cannot be read is marked as failed,
 * and blocks no other.
 */
export async function processFiles(services: JobServices): Promise<void> {
  const bubblewrap = await findBubblewrap(services.settings.bubblewrap)
  const find = (limit: number): Promise<PendingFile[]> =>
    services.db
      .selectFrom('market.files as file')
      .innerJoin('market.attachment_versions as version', 'version.file_id', 'file.id')
      .select(['file.id', 'file.org_id', 'file.size_bytes', 'file.encoding'])
      .select(sql<string>`min(version.media_type)`.as('media_type'))
      .where('file.text_state', '=', 'pending')
      .where('file.sha256', 'is not', null)
      .groupBy('file.id')
      .orderBy('file.id')
      .limit(limit)
      .execute()
  const act = (file: PendingFile) => processFile(services, bubblewrap, file)
  await forEachPending(services, 'processing', { find, act, atOnce: 20, lanes: 2 })
}

async function processFile(services: JobServices, bubblewrap: string | undefined, file: PendingFile): Promise<void> {
  const { db, settings } = services
  const isPending = sql<boolean>`id = ${file.id} and text_state = 'pending'`
  const begun = await beginAttempt(db, 'market.files', 'attempts', isPending)
  if (!begun) return
  const made = begun.isUsedUp ? FAILED : await makeAll(services, bubblewrap, file)
  const blobs = blobsOf(settings)
  const previews = made.previews.previews.map(({ size, bytes }) => ({ id: newId(), size, bytes }))
  for (const { id, bytes } of previews) await blobs.write(id, Readable.from([bytes]))
  const kept = previews.map(({ id, size, bytes }) => ({ id, size, sizeBytes: bytes.length }))
  await inTransaction(db, 'read write', (tx) => keepMade(tx, file, made, kept))
}

async function makeAll(
  { settings }: JobServices,
  bubblewrap: string | undefined,
  { id, media_type: mediaType, encoding, size_bytes }: PendingFile,
): Promise<Made> {
  const isCut = size_bytes > MAX_READ_BYTES
  const made = await withCopy(blobsOf(settings), { id, maxBytes: MAX_READ_BYTES }, async (path) => {
    const source = { path, mediaType, encoding, bubblewrap, isCut }
    return { text: await makeText(source), previews: await makePreviews(source) }
  })
  return made ?? FAILED
}
