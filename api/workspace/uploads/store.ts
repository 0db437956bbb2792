import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import type { CallContext } from '../../context.ts'
import { partialsOf } from '../../platform/blobs/open.ts'
import type { PartialBlobs } from '../../platform/blobs/partial.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { Write } from '../../platform/http/serve/serveProtocol.ts'
import { endReservation } from '../attachments/storage.ts'
import { readStored } from '../attachments/store.ts'
import type { NewUpload } from './begin.ts'
import { type Checksum, requireMatch, taken } from './checksum.ts'
import { findUpload, type UploadRow } from './find.ts'
import { finishUpload } from './finish.ts'
import type { UploadLease } from './lease.ts'
import { declareLength, reserveMore } from './reserve.ts'

/** The extensions of tus that we offer, as Tus-Extension lists them. */
export const EXTENSIONS = [
  ...['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration', 'checksum'],
]
// How far ahead room is reserved for an upload that does not know its length.
const AHEAD_BYTES = 1_048_576

/** One request, as the store acts for it. */
export interface StoreCall extends CallContext {
  db: Db
  write: Write
  createdBy: string
  lease: UploadLease
  checksum: Checksum | undefined
  /** Writes the row of a new upload; by default that is all. */
  begin: (upload: NewUpload) => Promise<UploadRow>
}

/**
 * The uploads of one caller, as tus asks for them. The library calls every method below under the upload's lease. An upload
 * becomes an attachment in the request that finds it whole: the one with its last byte, or, where that died, the next.
 */
export class UploadStore extends DataStore {
  override extensions = EXTENSIONS
  /** The upload as the last step left it. */
  row: UploadRow | undefined
  readonly #call: StoreCall
  readonly #partials: PartialBlobs

  constructor(call: StoreCall) {
    super()
    this.#call = call
    this.#partials = partialsOf(call.settings)
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size: lengthBytes, metadata = {} } = upload
    this.row = await this.#call.begin({ id, lengthBytes, metadata, leaseId: this.#call.lease.id })
    if (lengthBytes === 0) await this.#finish(this.row)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await findUpload(this.#call.db, this.#call.createdBy, id)
    this.row = row
    const size = row.length_bytes === null ? undefined : Number(row.length_bytes)
    const offset = row.attachment_id === null ? await this.#storedBytes(row) : (size ?? 0)
    if (row.attachment_id === null && offset === size) await this.#finish(row)
    return new Upload({ id, offset, metadata: row.metadata, ...(size === undefined ? {} : { size }) })
  }

  override async declareUploadLength(_id: string, lengthBytes: number): Promise<void> {
    const { settings, write } = this.#call
    this.row = await write((tx) => declareLength(tx, settings.rules, this.#current(), lengthBytes))
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const row = this.#current()
    if (row.attachment_id !== null) return offset
    const reserved = row.length_bytes === null ? this.#reserving(bytes, offset) : bytes
    const sizeBytes = this.#call.checksum
      ? await this.#appendChecked(row, this.#call.checksum, offset, reserved)
      : await this.#partials.append(id, offset, reserved)
    if (BigInt(sizeBytes) === row.length_bytes) await this.#finish(row)
    return sizeBytes
  }

  override async remove(id: string): Promise<void> {
    const { db, createdBy, write } = this.#call
    await findUpload(db, createdBy, id)
    await write((tx) => endReservation(tx, id))
  }

  #current(): UploadRow {
    if (this.row) return this.row
    throw new Error('an upload is written before it is read')
  }

  /** What has arrived and may stay: bytes whose checksum nobody compared do not. */
  async #storedBytes({ id, unverified_from }: UploadRow): Promise<number> {
    if (unverified_from !== null) await this.#dropFrom(id, Number(unverified_from))
    return this.#partials.sizeOf(id)
  }

  async #appendChecked(
    { id }: UploadRow,
    checksum: Checksum,
    offset: number,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<number> {
    await this.#setUnverified(id, BigInt(offset))
    try {
      const sizeBytes = await this.#partials.append(id, offset, taken(checksum, bytes))
      requireMatch(checksum)
      await this.#setUnverified(id, null)
      return sizeBytes
    } catch (error) {
      await this.#dropFrom(id, offset)
      throw error
    }
  }

  async #dropFrom(id: string, offset: number): Promise<void> {
    await this.#partials.cut(id, offset)
    await this.#setUnverified(id, null)
  }

  async #setUnverified(id: string, unverifiedFrom: bigint | null): Promise<void> {
    const { db, lease } = this.#call
    await db
      .updateTable('market.uploads')
      .set({ unverified_from: unverifiedFrom })
      .where('id', '=', id)
      .where('lease_id', '=', lease.id)
      .execute()
  }

  async *#reserving(bytes: AsyncIterable<Uint8Array>, offset: number): AsyncGenerator<Uint8Array> {
    const { settings, write } = this.#call
    let endBytes = offset
    for await (const chunk of bytes) {
      endBytes += chunk.byteLength
      if (BigInt(endBytes) > this.#current().reserved_bytes) {
        const reserve = (tx: Tx) => reserveMore(tx, settings.rules, this.#current(), endBytes + AHEAD_BYTES)
        this.row = await write(reserve)
      }
      yield chunk
    }
  }

  async #finish(row: UploadRow): Promise<void> {
    const { settings, actor, write } = this.#call
    const stored = await readStored(settings, row.id)
    await this.#partials.complete(row.id)
    this.row = await write((tx) => finishUpload(tx, settings.rules, actor, row, stored))
  }
}
