import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import type { CallContext } from '../../context.ts'
import { partialsOf } from '../../platform/blobs/open.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Write } from '../../platform/http/serve/serveProtocol.ts'
import { endReservation, readStored } from '../attachments/storage.ts'
import type { NewUpload } from './begin.ts'
import { type Checksum, requireMatch, taken } from './checksum.ts'
import { findUpload, type UploadRow } from './find.ts'
import { finishUpload } from './finish.ts'
import type { UploadLease } from './lease.ts'

/** The extensions of tus that we offer, as Tus-Extension lists them. */
export const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum']

/** One request for an upload, as the store acts for it. */
export interface UploadRequest extends CallContext {
  /** The upload's id. */
  id: string
  db: Db
  write: Write
  createdBy: string
  lease: UploadLease
  checksum: Checksum | undefined
  /** Writes the row of a new upload; by default that is all. */
  begin: (upload: NewUpload) => Promise<UploadRow>
  /** The upload as the last step left it. */
  row?: UploadRow
  /** The reason why the library answers with an error. */
  failure?: unknown
}

/** The request that is being served. The library passes it to some of its callbacks, but never to the store. */
export const serving = new AsyncLocalStorage<UploadRequest>()

/** Returns the request that is being served. */
export function current(): UploadRequest {
  const request = serving.getStore()
  if (request) return request
  throw new Error('an upload is worked on outside a request')
}

/**
 * The uploads in the form that tus needs, each for the caller of the request that is being served. The library calls every method
 * below under the upload's lease. An upload becomes an attachment in the request that finds it complete: the one with its last
 * byte, or, if that died, the next.
 */
export class UploadStore extends DataStore {
  override extensions = EXTENSIONS
  override async create(upload: Upload): Promise<Upload> {
    const request = current()
    const { id, size, metadata = {} } = upload
    if (size === undefined) throw new Error('an upload is begun without its length')
    request.row = await request.begin({ id, lengthBytes: size, metadata, leaseId: request.lease.id })
    if (size === 0) await finish(request, request.row)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const request = current()
    const row = await findUpload(request.db, request.createdBy, id)
    request.row = row
    const size = Number(row.length_bytes)
    const offset = row.attachment_id === null ? await storedBytes(request, row) : size
    if (row.attachment_id === null && offset === size) await finish(request, row)
    return new Upload({ id, offset, size, metadata: row.metadata })
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const request = current()
    const { row, checksum } = request
    if (!row) throw new Error('an upload is written before it is read')
    if (row.attachment_id !== null) return offset
    const sizeBytes = checksum
      ? await appendChecked(request, row, checksum, { offset, bytes })
      : await partialsOf(request.settings).append(id, offset, bytes)
    if (BigInt(sizeBytes) === row.length_bytes) await finish(request, row)
    return sizeBytes
  }

  override async remove(id: string): Promise<void> {
    const { db, createdBy, write } = current()
    await findUpload(db, createdBy, id)
    await write((tx) => endReservation(tx, id))
  }
}

/** Returns how many of the arrived bytes may stay: not those whose checksum was never compared. */
async function storedBytes(request: UploadRequest, { id, unverified_from }: UploadRow): Promise<number> {
  if (unverified_from !== null) await dropFrom(request, Number(unverified_from))
  return partialsOf(request.settings).sizeOf(id)
}

async function appendChecked(
  request: UploadRequest,
  { id }: UploadRow,
  checksum: Checksum,
  { offset, bytes }: { offset: number; bytes: Readable },
): Promise<number> {
  await setUnverified(request, BigInt(offset))
  try {
    const sizeBytes = await partialsOf(request.settings).append(id, offset, taken(checksum, bytes))
    requireMatch(checksum)
    await setUnverified(request, null)
    return sizeBytes
  } catch (error) {
    await dropFrom(request, offset)
    throw error
  }
}

async function dropFrom(request: UploadRequest, offset: number): Promise<void> {
  await partialsOf(request.settings).cut(request.id, offset)
  await setUnverified(request, null)
}

async function setUnverified({ db, id, lease }: UploadRequest, unverifiedFrom: bigint | null): Promise<void> {
  await db
    .updateTable('market.uploads')
    .set({ unverified_from: unverifiedFrom })
    .where('id', '=', id)
    .where('lease_id', '=', lease.id)
    .execute()
}

async function finish(request: UploadRequest, row: UploadRow): Promise<void> {
  const { settings, actor, write } = request
  const stored = await readStored(settings, row.id)
  await partialsOf(settings).complete(row.id)
  request.row = await write((tx) => finishUpload(tx, settings.rules, actor, row, stored))
}
