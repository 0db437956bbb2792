import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings, Settings } from '../../context.ts'
import { type PartialBlobs, partialBlobs } from './internal/partial.ts'
import { openS3, s3Blobs } from './internal/s3.ts'
import { s3Partials } from './internal/s3Partial.ts'
import { type BlobStore, fileBlobs } from './store.ts'

type Placed = Pick<Settings, 'blobDirectory' | 's3'>

// A client keeps connections open: one for each bucket that settings name.
const clients = new WeakMap<S3Settings, S3Client>()

/** Returns the store of blobs: the bucket that the settings name, or the directory. */
export function blobsOf({ blobDirectory, s3 }: Placed): BlobStore {
  return s3 ? s3Blobs(clientOf(s3), s3.bucket) : fileBlobs(blobDirectory)
}

/** Returns the blobs that arrive in parts, in the same place. */
export function partialsOf({ blobDirectory, s3 }: Placed): PartialBlobs {
  if (!s3) return partialBlobs(blobDirectory, fileBlobs(blobDirectory))
  return s3Partials({ client: clientOf(s3), bucket: s3.bucket }, s3Blobs(clientOf(s3), s3.bucket))
}

function clientOf(s3: S3Settings): S3Client {
  const client = clients.get(s3) ?? openS3(s3)
  clients.set(s3, client)
  return client
}
