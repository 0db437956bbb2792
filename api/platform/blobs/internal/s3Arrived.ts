import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { z } from 'zod'
import { blobKey, partialKey } from '../store.ts'

const STATE = 'parts.json'
const NOT_FOUND = 404
const MOST_PARTS = 10_000
const NONE: Buffer = Buffer.alloc(0)

/** Where a bucket keeps its blobs. */
export interface Bucket {
  client: S3Client
  bucket: string
}

const count = z.int().nonnegative()
const arrived = z
  .object({
    uploadId: z.string().min(1).nullable(),
    /** The tags of its parts, in their order. */
    tags: z.array(z.string().min(1)).max(MOST_PARTS),
    /** How many bytes have arrived, the rest included. */
    sizeBytes: count,
    restBytes: count,
  })
  .refine(({ sizeBytes, restBytes }) => restBytes <= sizeBytes)
  .refine(({ uploadId, tags }) => (uploadId === null) === (tags.length === 0))

/**
 * What has arrived of a blob: the parts of its multipart upload that count, and the bytes after them, too few
 * for a part, which are an object of their own. It is an object itself, and replaced as a whole: what it does
 * not name has not arrived.
 */
export type Arrived = z.output<typeof arrived>

/** The state of a blob of which nothing has arrived. */
export const NOTHING: Arrived = { uploadId: null, tags: [], sizeBytes: 0, restBytes: 0 }

/**
 * Returns what has arrived of a blob; undefined if nothing has, or if it is complete. Where the bucket has
 * something of another form, nothing has arrived: the bytes are sent again, and the sweep of the bucket
 * removes what is left of them.
 */
export async function readArrived({ client, bucket }: Bucket, id: string): Promise<Arrived | undefined> {
  const state = new GetObjectCommand({ Bucket: bucket, Key: `${partialKey(id)}/${STATE}` })
  const answer = await client.send(state).catch(ignoreAbsent)
  const text = await answer?.Body?.transformToString()
  return text === undefined ? undefined : arrived.safeParse(parsed(text)).data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the bytes after the last part. */
export async function readRest(
  { client, bucket }: Bucket,
  id: string,
  { sizeBytes, restBytes }: Arrived,
): Promise<Buffer> {
  if (restBytes === 0) return NONE
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: restKey(id, sizeBytes) }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

/** Records the parts that have arrived, with the bytes after the last one. */
export async function recordArrived(
  { client, bucket }: Bucket,
  id: string,
  parts: Arrived,
  rest = NONE,
): Promise<void> {
  const next: Arrived = { ...parts, sizeBytes: parts.sizeBytes + rest.length, restBytes: rest.length }
  const put = (Key: string, Body: Buffer) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  if (rest.length > 0) await put(restKey(id, next.sizeBytes), rest)
  await put(`${partialKey(id)}/${STATE}`, Buffer.from(JSON.stringify(next)))
}

/** Removes the bytes after a last part that have become a part, or others after it. */
export async function removeRest({ client, bucket }: Bucket, id: string, { sizeBytes }: Arrived): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: restKey(id, sizeBytes) }))
}

/** Sends the next part, which counts once it is recorded. The multipart upload begins with the first one. */
export async function sendPart(place: Bucket, id: string, before: Arrived, bytes: Buffer): Promise<Arrived> {
  const object = { Bucket: place.bucket, Key: blobKey(id) }
  const uploadId =
    before.uploadId ?? (await place.client.send(new CreateMultipartUploadCommand(object))).UploadId ?? null
  if (uploadId === null) throw new Error('the bucket began a multipart upload without an id')
  const part = { ...object, UploadId: uploadId, PartNumber: before.tags.length + 1, Body: bytes }
  const { ETag } = await place.client.send(new UploadPartCommand(part))
  if (ETag === undefined) throw new Error('the bucket took a part without a tag')
  return { uploadId, tags: [...before.tags, ETag], sizeBytes: before.sizeBytes + bytes.length, restBytes: 0 }
}

/** Makes the blob of its parts; of its rest if it has none. */
export async function joinParts(place: Bucket, id: string, arrived: Arrived): Promise<void> {
  const object = { Bucket: place.bucket, Key: blobKey(id) }
  const { uploadId, tags } = arrived
  if (uploadId === null) {
    await place.client.send(new PutObjectCommand({ ...object, Body: await readRest(place, id, arrived) }))
    return
  }
  const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
  const parts = { UploadId: uploadId, MultipartUpload: { Parts } }
  await place.client.send(new CompleteMultipartUploadCommand({ ...object, ...parts }))
}

/** Returns whether a multipart upload is the one of a blob that arrives in parts. */
export async function isUnderWay(place: Bucket, id: string, uploadId: string): Promise<boolean> {
  return (await readArrived(place, id))?.uploadId === uploadId
}

/** Removes what has arrived of a blob, if anything has. The blob itself stays, if its parts were joined. */
export async function removeArrived(place: Bucket, id: string): Promise<void> {
  const { client, bucket } = place
  const listed = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${partialKey(id)}/` })
  const keys: string[] = []
  for await (const { Contents = [] } of listed) keys.push(...Contents.flatMap(({ Key }) => Key ?? []))
  if (keys.length === 0) return
  const uploadId = (await readArrived(place, id))?.uploadId
  if (uploadId) {
    const abort = new AbortMultipartUploadCommand({ Bucket: bucket, Key: blobKey(id), UploadId: uploadId })
    await client.send(abort).catch(ignoreAbsent)
  }
  // The state comes last: without it, nobody would find the multipart upload.
  for (const Key of keys.toSorted()) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
}

function restKey(id: string, sizeBytes: number): string {
  return `${partialKey(id)}/${sizeBytes}`
}

function ignoreAbsent(error: unknown): undefined {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === NOT_FOUND) return undefined
  throw error
}
