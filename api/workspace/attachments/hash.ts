import { blobsOf } from '../../platform/blobs/open.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { recordChange } from '../recordChange.ts'
import { type Content, contentReader } from './content.ts'
import { attachmentEvents } from './module.ts'
import { findSameBytes, lockStorage, removeUnused } from './storage.ts'

const AT_ONCE = 20
const LANES = 2
/** Comes before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** A file whose bytes nobody has read as a whole. */
interface UnhashedFile {
  id: string
  org_id: string
}

/**
 * Reads the files that arrived in parts at more than one process, and records their hash and their type. A
 * worker that dies, or another that does the same at once, changes nothing: what is recorded first stays. A
 * file whose bytes are gone is left for the next pass and holds up no other; any other failure ends the pass.
 */
export async function hashFiles(services: JobServices): Promise<void> {
  const { db, settings } = services
  const gone = new Set<string>()
  const act = async (file: UnhashedFile) => {
    const bytes = await blobsOf(settings).read(file.id)
    if (!bytes) gone.add(file.id)
    const reader = contentReader()
    for await (const chunk of bytes ?? []) reader.add(chunk)
    await inTransaction(db, 'read write', (tx) => recordContent(tx, file, bytes && reader.content()))
  }
  for (let after = FIRST; ; ) {
    const found = await findUnhashed(db, after)
    const failed = await forEach(services, 'hash of a file', found, act, LANES)
    const last = found.at(-1)
    if (!last || failed.some(({ id }) => !gone.has(id))) return
    after = last.id
  }
}

function findUnhashed(db: Db, after: string): Promise<UnhashedFile[]> {
  return db
    .selectFrom('market.files')
    .select(['id', 'org_id'])
    .where('sha256', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
}

/**
 * Records what the bytes of a file are, unless that is known by now or the file is gone; undefined for bytes
 * that are not there. If the org has another file with the same bytes, its versions get that one, and this
 * one is removed.
 */
async function recordContent(tx: Tx, { id, org_id: orgId }: UnhashedFile, content: Content | undefined): Promise<void> {
  // The order in which all code locks: attachments before storage. Nobody gives a version of theirs to
  // another meanwhile.
  await lockAttachmentsWith(tx, id)
  await lockStorage(tx, orgId)
  const waiting = await tx
    .selectFrom('market.files')
    .select('id')
    .where('id', '=', id)
    .where('sha256', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!waiting) return
  if (!content) throw new Error(`the bytes of the file ${id} are gone`)
  const { sha256, mediaType: media_type, encoding } = content
  const same = await findSameBytes(tx, orgId, sha256)
  const versions = await tx
    .updateTable('market.attachment_versions')
    .set({ media_type, ...(same === undefined ? {} : { file_id: same }) })
    .where('file_id', '=', id)
    .returning(['attachment_id', 'number'])
    .execute()
  if (same === undefined) await tx.updateTable('market.files').set({ sha256, encoding }).where('id', '=', id).execute()
  else await removeUnused(tx, orgId, [id])
  for (const version of versions) await announce(tx, orgId, version, media_type)
}

async function lockAttachmentsWith(tx: Tx, fileId: string): Promise<void> {
  await tx
    .selectFrom('market.attachments')
    .select('id')
    .where('id', 'in', (query) =>
      query.selectFrom('market.attachment_versions').select('attachment_id').where('file_id', '=', fileId),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

async function announce(
  tx: Tx,
  orgId: string,
  { attachment_id, number }: { attachment_id: string; number: number },
  mediaType: string,
): Promise<void> {
  const entity = await tx
    .selectFrom('market.attachments as attachment')
    .innerJoin('market.pages as page', 'page.id', 'attachment.page_id')
    .select(['attachment.id', 'attachment.short_id', 'page.space_id', 'attachment.page_id'])
    .where('attachment.id', '=', attachment_id)
    .executeTakeFirstOrThrow()
  await recordChange(tx, orgId, null, {
    type: attachmentEvents['attachment.updated'],
    entity,
    spaceId: entity.space_id,
    data: { page_id: entity.page_id, version: number, media_type: mediaType },
  })
}
