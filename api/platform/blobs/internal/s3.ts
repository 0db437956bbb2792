import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { S3Settings } from '../../../context.ts'
import { type BlobStore, blobKey, idOfKey } from '../store.ts'
import { isUnderWay, removeArrived } from './s3Arrived.ts'

/** A multipart upload of one object. */
interface StaleUpload {
  Key: string
  UploadId: string
}

// This much of a blob is in memory, twice: one part is filled while the other is sent.
const PART_BYTES = 8_388_608
const PARTS_AT_ONCE = 2
const CONNECT_TIMEOUT_MS = 5_000
// An empty chunk.
const IDLE_TIMEOUT_MS = 60_000
const MAX_ATTEMPTS = 4
const NOT_FOUND = 404
const NO_SUCH_RANGE = 416

/** Returns a client of the service that keeps a bucket. */
export function openS3({ endpoint, region, isPathStyle, credentials }: S3Settings): S3Client {
  return new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: MAX_ATTEMPTS,
    // Not every S3-compatible service supports the checksums that the client adds by default. We store the
    // SHA-256 ourselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
  })
}

/**
 * Returns a store that keeps blobs as objects of a bucket (Amazon S3 API), under the paths that files have in
 * the directory of `fileBlobs`. A blob is either complete or absent.
 */
export function s3Blobs(client: S3Client, bucket: string): BlobStore {
  const objectOf = (id: string) => ({ Bucket: bucket, Key: blobKey(id) })
  const put = async (id: string, body: Readable) => {
    const parts = { partSize: PART_BYTES, queueSize: PARTS_AT_ONCE }
    await new Upload({ client, params: { ...objectOf(id), Body: body }, ...parts }).done()
  }
  return {
    write: (id, bytes) => put(id, Readable.from(bytes, { objectMode: false })),
    sizeOf: async (id) => {
      try {
        return (await client.send(new HeadObjectCommand(objectOf(id)))).ContentLength
      } catch (error) {
        if (statusOf(error) === NOT_FOUND) return undefined
        throw error
      }
    },
    read: async (id, range) => {
      const part = range ? { Range: `bytes=${range.first}-${range.last}` } : {}
      try {
        const answer = await client.send(new GetObjectCommand({ ...objectOf(id), ...part }))
        return answer.Body?.transformToWebStream()
      } catch (error) {
        if (statusOf(error) === NOT_FOUND) return undefined
        // An empty object has no valid range, not even from byte 0.
        if (statusOf(error) === NO_SUCH_RANGE) return new Blob([]).stream()
        throw error
      }
    },
    remove: async (id) => {
      await client.send(new DeleteObjectCommand(objectOf(id)))
      await removeArrived({ client, bucket }, id)
    },
    keptBefore: async function* (time) {
      for await (const upload of staleUploads(client, bucket, time)) {
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, ...upload }))
      }
      for await (const { Contents: objects = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
        yield objects.flatMap(({ Key, LastModified }) => (LastModified && LastModified < time ? idOfKey(Key) : []))
      }
    },
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

/**
 * Yields the multipart uploads that were started before a time, except those of blobs that arrive in parts. A
 * live process completes or aborts its uploads; these were left by a dead process, and the bucket keeps and
 * bills their parts.
 */
async function* staleUploads(client: S3Client, bucket: string, time: Date): AsyncGenerator<StaleUpload> {
  let from: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
  while (from) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, ...from }),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      const [id] = idOfKey(Key)
      if (!Key || !UploadId || id === undefined || !Initiated || Initiated >= time) continue
      if (!(await isUnderWay({ client, bucket }, id, UploadId))) yield { Key, UploadId }
    }
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    from = page.IsTruncated && KeyMarker && UploadIdMarker ? { KeyMarker, UploadIdMarker } : undefined
  }
}
