import type { Settings } from '../../context.ts'
import { type PartialBlobs, partialBlobs } from './partial.ts'
import { openS3, s3Blobs } from './s3.ts'
import { type BlobStore, fileBlobs } from './store.ts'

type Placed = Pick<Settings, 'blobDirectory' | 's3'>

// A client keeps connections open: one for each bucket that settings name.
const buckets = new WeakMap<object, BlobStore>()

/** Returns the store of blobs: the bucket that the settings name, or the directory. */
export function blobsOf({ blobDirectory, s3 }: Placed): BlobStore {
  const files = fileBlobs(blobDirectory)
  if (!s3) return files
  const bucket = buckets.get(s3) ?? s3Blobs(openS3(s3), s3.bucket)
  buckets.set(s3, bucket)
  return {
    ...bucket,
    // A blob that arrives in parts is in the directory until it is complete.
    remove: async (id) => {
      await files.remove(id)
      await bucket.remove(id)
    },
    keptBefore: async function* (time) {
      yield* files.keptBefore(time)
      yield* bucket.keptBefore(time)
    },
  }
}

/** Returns the blobs that arrive in parts. They are files in the directory until they are complete. */
export function partialsOf(settings: Placed): PartialBlobs {
  return partialBlobs(settings.blobDirectory, blobsOf(settings))
}
