import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { withCopy } from '../../platform/blobs/copyOut.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { findBubblewrap } from '../../platform/isolation/isolate.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { keepMade, type Made } from './keep.ts'
import { makePreviews, makeText } from './make.ts'

const AT_ONCE = 20
const LANES = 2
const MAX_ATTEMPTS = 3
const MAX_READ_BYTES = 100_000_000
const FAILED: Made = { text: { state: 'failed', text: '' }, previews: { state: 'failed', previews: [] } }

interface PendingFile {
  id: string
  org_id: string
  size_bytes: bigint
  media_type: string
}

/** Makes the texts and previews of files that have none yet. A file that cannot be read has failed, and holds up no other. */
export async function processFiles(services: JobServices): Promise<void> {
  const bubblewrap = await findBubblewrap(services.settings.bubblewrap)
  while (await processSome(services, bubblewrap));
}

/** Returns true when there may be more. */
async function processSome(services: JobServices, bubblewrap: string | undefined): Promise<boolean> {
  const due = await services.db
    .selectFrom('market.files as file')
    .innerJoin('market.attachment_versions as version', 'version.file_id', 'file.id')
    .select(['file.id', 'file.org_id', 'file.size_bytes', sql<string>`min(version.media_type)`.as('media_type')])
    .where('file.text_state', '=', 'pending')
    .groupBy('file.id')
    .orderBy('file.id')
    .limit(AT_ONCE)
    .execute()
  const failed = await forEach(services, 'processing', due, (file) => processFile(services, bubblewrap, file), LANES)
  return due.length === AT_ONCE && failed.length === 0
}

async function processFile(services: JobServices, bubblewrap: string | undefined, file: PendingFile): Promise<void> {
  const { db, settings } = services
  // Counted before it is begun: whatever it does to this process, it does it three times at most.
  const begun = await db
    .updateTable('market.files')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('id', '=', file.id)
    .where('text_state', '=', 'pending')
    .returning('attempts')
    .executeTakeFirst()
  if (!begun) return
  const made = begun.attempts > MAX_ATTEMPTS ? FAILED : await makeAll(services, bubblewrap, file)
  const blobs = blobsOf(settings)
  const previews = made.previews.previews.map(({ size, bytes }) => ({ id: uuidv7(), size, bytes }))
  for (const { id, bytes } of previews) await blobs.write(id, Readable.from([bytes]))
  const kept = previews.map(({ id, size, bytes }) => ({ id, size, sizeBytes: bytes.length }))
  await inTransaction(db, 'read write', (tx) => keepMade(tx, file, made, kept))
}

async function makeAll(
  { settings }: JobServices,
  bubblewrap: string | undefined,
  { id, media_type: mediaType, size_bytes }: PendingFile,
): Promise<Made> {
  const isCut = size_bytes > MAX_READ_BYTES
  const made = await withCopy(blobsOf(settings), { id, maxBytes: MAX_READ_BYTES }, async (path) => {
    const source = { path, mediaType, bubblewrap, isCut }
    return { text: await makeText(source), previews: await makePreviews(source) }
  })
  return made ?? FAILED
}
