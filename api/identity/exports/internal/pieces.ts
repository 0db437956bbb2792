import type { Settings } from '../../../context.ts'
import { blobsOf } from '../../../platform/blobs/open.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { ExportRow } from './find.ts'

// Base64 writes three bytes as four characters, so parts of a multiple of three bytes can be joined.
const GROUP_BYTES = 3

/**
 * Streams the file of an export, holding one piece in memory at a time. Throws if a piece is gone: the export
 * expired, or its owner was erased.
 */
export async function* pieces(
  db: Db,
  settings: Pick<Settings, 'blobDirectory' | 's3'>,
  { id, chunks }: Pick<ExportRow, 'id' | 'chunks'>,
): AsyncGenerator<Uint8Array> {
  const blobs = blobsOf(settings)
  for (let sequence = 0; sequence < chunks; sequence++) {
    const { bytes, blob_id: blobId } = await db
      .selectFrom('market.export_chunks')
      .select(['bytes', 'blob_id'])
      .where('export_id', '=', id)
      .where('sequence', '=', sequence)
      .executeTakeFirstOrThrow(() => new Error('the export was deleted while it was read'))
    yield bytes
    // The blob's row states its size and hash, so a reader can tell if the store has lost it.
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
