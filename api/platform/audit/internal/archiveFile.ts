import { createHash } from 'node:crypto'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { verifyDocument } from '../../../../protocol/keys/signing.ts'
import { auditDigest, auditLink } from '../../../../protocol/records/auditChain.ts'
import { blobsOf } from '../../blobs/open.ts'
import type { Db } from '../../db/pool.ts'
import type { JobServices } from '../../jobs/services.ts'
import { publishedKeys } from '../../signing/keys.ts'
import { type AuditArchive, auditArchive } from '../routes.ts'

/**
 * Far more than an archive has. Whoever changed a file may have put one there that does not fit in memory.
 */
const MAX_BYTES = 268_435_456

type Services = Pick<JobServices, 'settings'> & { db: Db }

/** A file of an archive, and the SHA-256 of its bytes. */
export interface ArchiveFile {
  blobId: string
  sha256: Buffer
}

/** An archive is missing, was changed, or does not lead to a head that we signed. */
export class ArchiveFault extends Error {}

/**
 * Writes an archive to a new file, and reads it back. Throws an ArchiveFault if the file does not prove what
 * it says.
 */
export async function writeArchive(services: Services, archive: AuditArchive): Promise<ArchiveFile> {
  const bytes = Buffer.from(JSON.stringify(archive))
  const file = { blobId: newId(), sha256: sha256(bytes) }
  await blobsOf(services.settings).write(file.blobId, chunks(bytes))
  await readArchive(services, file)
  return file
}

/**
 * Returns the archive in a file. Throws an ArchiveFault unless the file is the one that was written, its
 * entries are a chain, and a key of ours signed the end of it: then no entry before that was changed.
 */
export async function readArchive({ db, settings }: Services, { blobId, sha256: expected }: ArchiveFile) {
  const blobs = blobsOf(settings)
  const sizeBytes = await blobs.sizeOf(blobId)
  if (sizeBytes === undefined || sizeBytes > MAX_BYTES)
    throw new ArchiveFault(`the file has ${sizeBytes ?? 'no'} bytes`)
  const stream = await blobs.read(blobId)
  const bytes = Buffer.from(await new Response(stream ?? null).arrayBuffer())
  if (!sha256(bytes).equals(expected)) throw new ArchiveFault('the file has another SHA-256')
  const archive = auditArchive.parse(JSON.parse(String(bytes)))
  requireChain(archive)
  const { document, key_id: keyId, signature } = archive.head
  const signed = { purpose: 'audit_head', at: document.as_of } as const
  if (!(await verifyDocument(document, { keyId, signature }, await publishedKeys(db, settings), signed)))
    throw new ArchiveFault('no key of ours signed its head')
  return archive
}

function requireChain({ head: { document }, entries }: AuditArchive): void {
  let place = entries[0] && { position: entries[0].position - 1, hash: entries[0].previous_hash }
  for (const { position, previous_hash: before, digest, hash, content } of entries) {
    const link = Buffer.from(auditLink(Buffer.from(before, 'hex'), Buffer.from(digest, 'hex'))).toString('hex')
    if (position !== (place?.position ?? 0) + 1 || before !== place?.hash || hash !== link)
      throw new ArchiveFault(`entry ${position} does not continue the chain`)
    if (content !== null) {
      const { salt, ...told } = content
      if (digest !== Buffer.from(auditDigest(told, Buffer.from(salt, 'hex'))).toString('hex'))
        throw new ArchiveFault(`entry ${position} was changed`)
    }
    place = { position, hash }
  }
  if (document.position !== place?.position || document.hash !== place.hash)
    throw new ArchiveFault('the chain does not lead to its head')
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
