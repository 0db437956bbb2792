import { ListMultipartUploadsCommand, type ListMultipartUploadsCommandOutput, type S3Client } from '@aws-sdk/client-s3'
import { idOfKey } from './store.ts'

/** An upload in parts of one object. */
interface StaleUpload {
  Key: string
  UploadId: string
}

/**
 * Yields the uploads in parts that were begun before a time. What a process sends ends with it or is aborted by it; these a dead
 * process left, and a bucket keeps and bills their parts.
 */
export async function* staleUploads(client: S3Client, bucket: string, time: Date): AsyncGenerator<StaleUpload> {
  let from: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
  while (from) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, ...from }),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key && UploadId && Initiated && Initiated < time && idOfKey(Key).length > 0) yield { Key, UploadId }
    }
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    from = page.IsTruncated && KeyMarker && UploadIdMarker ? { KeyMarker, UploadIdMarker } : undefined
  }
}
