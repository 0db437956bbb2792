import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { blobsOf, partialsOf } from '../../platform/blobs/open.ts'
import { edgesOf, mediaTypeOf } from './mediaType.ts'

type BlobPlace = Pick<Settings, 'blobDirectory' | 's3'>

/** Stored bytes that no row has yet. Without one they are removed later. */
export interface StoredBytes {
  id: string
  sizeBytes: number
  sha256: string
  mediaType: string
  /** The row that reserves room for them, if there is one. */
  reservationId?: string
}

/**
 * Stores a file as it arrives, under a new id, and returns what it is. Throws 413 at the first byte beyond the limit: then
 * nothing is stored.
 */
export async function storeBytes(
  settings: BlobPlace,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredBytes> {
  const id = uuidv7()
  const hash = createHash('sha256')
  const { add, edges } = edgesOf()
  let sizeBytes = 0
  async function* measured() {
    for await (const chunk of bytes) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > maxBytes) throw fileTooLarge(maxBytes)
      hash.update(chunk)
      add(chunk)
      yield chunk
    }
  }
  await blobsOf(settings).write(id, measured())
  return { id, sizeBytes, sha256: hash.digest('hex'), mediaType: mediaTypeOf(edges) }
}

/** Returns what bytes are that arrived in parts and are whole. */
export async function readStored(settings: BlobPlace, id: string): Promise<StoredBytes> {
  const hash = createHash('sha256')
  const { add, edges } = edgesOf()
  let sizeBytes = 0
  for await (const chunk of partialsOf(settings).read(id)) {
    add(chunk)
    sizeBytes += chunk.byteLength
    hash.update(chunk)
  }
  return { id, sizeBytes, sha256: hash.digest('hex'), mediaType: mediaTypeOf(edges) }
}

/** The problem for a file of more than so many bytes. */
export function fileTooLarge(maxBytes: number): Problem {
  return new Problem('workspace/file-too-large', {
    detail: `A file uploaded this way may have at most ${maxBytes} bytes.`,
  })
}
