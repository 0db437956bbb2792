import { fileBlobs } from '../blobs/store.ts'
import type { Settings } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { ExportRow } from './find.ts'

// What base64 writes as four characters, so that one part ends where the next begins.
const GROUP_BYTES = 3

/**
 * The file of an export, piece by piece as it is read: no more than one is in memory. Throws where a piece is gone: the
 * export expired, or its owner was erased.
 */
export async function* pieces(
  db: Db,
  { blobDirectory }: Pick<Settings, 'blobDirectory'>,
  { id, chunks }: Pick<ExportRow, 'id' | 'chunks'>,
): AsyncGenerator<Uint8Array> {
  const blobs = fileBlobs(blobDirectory)
  for (let sequence = 0; sequence < chunks; sequence++) {
    const { bytes, blob_id: blobId } = await db
      .selectFrom('market.export_chunks')
      .select(['bytes', 'blob_id'])
      .where('export_id', '=', id)
      .where('sequence', '=', sequence)
      .executeTakeFirstOrThrow(() => new Error('the export was deleted while it was read'))
    yield bytes
    // Its row tells size and hash: where the store has lost it, a reader sees that it is not there.
    const blob = blobId === null ? undefined : await blobs.read(blobId)
    if (blob) yield* base64(blob)
  }
}

async function* base64(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = Buffer.alloc(0)
  for await (const part of stream) {
    const bytes = Buffer.concat([rest, part])
    const whole = bytes.length - (bytes.length % GROUP_BYTES)
    rest = bytes.subarray(whole)
    yield Buffer.from(bytes.toString('base64', 0, whole))
  }
  yield Buffer.from(Buffer.from(rest).toString('base64'))
}
