import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import type { CallContext } from '../../../context.ts'
import { partialsOf } from '../../../platform/blobs/open.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { Write } from '../../../platform/http/serve/serveProtocol.ts'
import type { ContentReader } from '../../attachments/content.ts'
import { UNKNOWN } from '../../attachments/mediaType.ts'
import { endReservation } from '../../attachments/storage.ts'
import { uploadRules } from '../module.ts'
import type { NewUpload } from './begin.ts'
import { arriving } from './body.ts'
import { type Checksum, requireMatch } from './checksum.ts'
import { cutOff, tooLarge } from './failures.ts'
import { findUpload, type UploadRow } from './find.ts'
import { finishUpload } from './finish.ts'
import type { UploadLease } from './lease.ts'
import { Readings } from './reading.ts'

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
  /** The bytes of the request, as they arrive. */
  body: Readable
  /** Writes the row of a new upload; by default that is all. */
  begin: (upload: NewUpload) => Promise<UploadRow>
  /** The upload as the last step left it. */
  row?: UploadRow
  /** The reason why the library answers with an error. */
  failure?: unknown
}

const readings = new Readings(uploadRules.uploadSeconds * 1_000)

/**
 * The request that is being served. The library passes it to some of its callbacks, but never to the store.
 */
export const serving = new AsyncLocalStorage<UploadRequest>()

/** Returns the request that is being served. */
export function current(): UploadRequest {
  const request = serving.getStore()
  if (request) return request
  throw new Error('an upload is worked on outside a request')
}

/**
 * The uploads in the form that tus needs, each for the caller of the request that is being served. The
 * library calls every method below under the upload's lease. An upload becomes an attachment in the request
 * that finds it complete: the one with its last byte, or, if that died, the next.
 */
export class UploadStore extends DataStore {
  override extensions = EXTENSIONS
  override async create(upload: Upload): Promise<Upload> {
    const request = current()
    const { id, size, metadata = {} } = upload
    if (size === undefined) throw new Error('an upload is begun without its length')
    const { lease } = request
    request.row = await lease.begin(() => request.begin({ id, lengthBytes: size, metadata, leaseId: lease.id }))
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
    // The library was given a request without its body: the bytes come from the connection itself.
    bytes.resume()
    const request = current()
    const { row } = request
    if (!row) throw new Error('an upload is written before it is read')
    if (row.attachment_id !== null) return offset
    const reader = readings.take(id, offset)
    const sizeBytes = await appendVerified(request, row, offset, reader)
    if (BigInt(sizeBytes) === row.length_bytes) await finish(request, row)
    return sizeBytes
  }

  override async remove(id: string): Promise<void> {
    const { db, createdBy, write } = current()
    await findUpload(db, createdBy, id)
    await write((tx) => endReservation(tx, id))
    readings.drop(id)
  }
}

/** Returns how many of the arrived bytes may stay: not those whose checksum was never compared. */
async function storedBytes(request: UploadRequest, { id, unverified_from }: UploadRow): Promise<number> {
  if (unverified_from !== null) await dropFrom(request, Number(unverified_from))
  return partialsOf(request.settings).sizeOf(id)
}

/**
 * Stores the bytes of a request, and keeps what has read them. Those that do not have its checksum are
 * dropped again.
 */
async function appendVerified(
  request: UploadRequest,
  row: UploadRow,
  offset: number,
  reader: ContentReader | undefined,
): Promise<number> {
  if (!request.checksum) return append(request, row, offset, reader)
  await setUnverified(request, BigInt(offset))
  try {
    const sizeBytes = await append(request, row, offset, reader)
    await setUnverified(request, null)
    return sizeBytes
  } catch (error) {
    readings.drop(row.id)
    await dropFrom(request, offset)
    throw error
  }
}

/**
 * Stores the bytes of a request up to where they end. Throws 400 if they end early, 460 if they do not have
 * its checksum.
 */
async function append(
  { settings, body, lease, checksum }: UploadRequest,
  { id, length_bytes }: UploadRow,
  offset: number,
  reader: ContentReader | undefined,
): Promise<number> {
  const lengthBytes = Number(length_bytes)
  const { bytes, isCut } = arriving(body, lease.lost)
  async function* taken() {
    let restBytes = lengthBytes - offset
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      restBytes -= chunk.byteLength
      if (restBytes < 0) throw tooLarge()
      lease.requireHeld()
      checksum?.hash.update(chunk)
      reader?.add(chunk)
      yield chunk
    }
  }
  const confirm = () => {
    lease.requireHeld()
    if (!checksum) return
    if (isCut()) throw cutOff()
    requireMatch(checksum)
  }
  const part = { offset, lengthBytes, isWhole: checksum !== undefined, confirm }
  const sizeBytes = await partialsOf(settings).append(id, part, taken())
  if (reader?.sizeBytes() === sizeBytes) readings.keep(id, reader)
  if (isCut()) throw cutOff()
  return sizeBytes
}

/** Drops the bytes from an offset on, unless another request has the upload by now: that one drops them. */
async function dropFrom(request: UploadRequest, offset: number): Promise<void> {
  if (!(await setUnverified(request, BigInt(offset)))) return
  await partialsOf(request.settings).cut(request.id, offset)
  await setUnverified(request, null)
}

async function setUnverified({ db, id, lease }: UploadRequest, unverifiedFrom: bigint | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('market.uploads')
    .set({ unverified_from: unverifiedFrom })
    .where('id', '=', id)
    .where('lease_id', '=', lease.id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Makes an attachment of an upload that has arrived whole. If this process has not read all of it, the worker
 * will.
 */
async function finish(request: UploadRequest, { id, ...row }: UploadRow): Promise<void> {
  const { settings, actor, write, lease } = request
  const sizeBytes = Number(row.length_bytes)
  const reader = readings.take(id, sizeBytes)
  const content = reader?.content() ?? { sizeBytes, sha256: null, mediaType: UNKNOWN, encoding: null }
  try {
    await partialsOf(settings).complete(id)
    request.row = await write((tx) => finishUpload(tx, settings.rules, actor, { id, ...row }, { id, ...content }))
    lease.givenBack()
  } catch (error) {
    if (reader) readings.keep(id, reader)
    throw error
  }
}
