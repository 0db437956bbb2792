import { PutObjectCommand } from '@aws-sdk/client-s3'
import { type BlobStore, blobKey } from '../store.ts'
import type { Part, PartialBlobs } from './partial.ts'
import {
  type Arrived,
  type Bucket,
  joinParts,
  NOTHING,
  readArrived,
  readRest,
  recordArrived,
  removeArrived,
  removeRest,
  sendPart,
} from './s3Arrived.ts'

// This much of an upload is in memory. A bucket takes no part below 5 MiB, except as the last one, and 10,000
// parts at most.
const PART_BYTES = 8_388_608

/** Returns the unfinished values of a bucket. Any process goes on with them, and none needs a disk. */
export function s3Partials(place: Bucket, store: Pick<BlobStore, 'sizeOf'>): PartialBlobs {
  return {
    sizeOf: async (id) => (await readArrived(place, id))?.sizeBytes ?? (await store.sizeOf(id)) ?? 0,
    append: async (id, part, bytes) => {
      const before = part.offset === 0 ? NOTHING : ((await readArrived(place, id)) ?? NOTHING)
      if (before.sizeBytes !== part.offset) throw new Error('another process has gone on with this upload')
      const { parts, rest } = await sendParts(place, id, before, part, bytes)
      return endAppend(place, id, before, part, { parts, rest })
    },
    // Bytes that are to be cut off were never recorded.
    cut: async () => {},
    complete: async (id) => {
      if ((await store.sizeOf(id)) === undefined) await joinParts(place, id, (await readArrived(place, id)) ?? NOTHING)
      await removeArrived(place, id)
    },
  }
}

/**
 * Sends bytes as parts, after the rest of what has arrived before, and returns those that are too few for
 * another one.
 */
async function sendParts(
  place: Bucket,
  id: string,
  before: Arrived,
  { isWhole, confirm }: Part,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ parts: Arrived; rest: Buffer }> {
  const first = await readRest(place, id, before)
  let parts: Arrived = { ...before, sizeBytes: before.sizeBytes - first.length, restBytes: 0 }
  let held: Uint8Array[] = [first]
  let heldBytes = first.length
  for await (const chunk of bytes) {
    held.push(chunk)
    heldBytes += chunk.byteLength
    if (heldBytes < PART_BYTES) continue
    const all = Buffer.concat(held)
    parts = await sendPart(place, id, parts, all.subarray(0, PART_BYTES))
    held = [all.subarray(PART_BYTES)]
    heldBytes -= PART_BYTES
    if (isWhole) continue
    confirm()
    await recordArrived(place, id, parts)
  }
  return { parts, rest: Buffer.concat(held) }
}

/**
 * Records what has arrived, and returns how many bytes that are. The last bytes of a value are a part of any
 * size.
 */
async function endAppend(
  place: Bucket,
  id: string,
  before: Arrived,
  { lengthBytes, confirm }: Part,
  { parts, rest }: { parts: Arrived; rest: Buffer },
): Promise<number> {
  const sizeBytes = parts.sizeBytes + rest.length
  const isEnd = sizeBytes === lengthBytes
  if (isEnd && parts.uploadId === null) {
    confirm()
    await place.client.send(new PutObjectCommand({ Bucket: place.bucket, Key: blobKey(id), Body: rest }))
    return sizeBytes
  }
  const sent = isEnd && rest.length > 0 ? await sendPart(place, id, parts, rest) : parts
  confirm()
  await recordArrived(place, id, sent, isEnd ? undefined : rest)
  if (before.restBytes > 0 && sizeBytes !== before.sizeBytes) await removeRest(place, id, before)
  return sizeBytes
}
