import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { type Archive, ArchiveRefused } from '../../platform/zip/archive.ts'
import { listEntries } from '../../platform/zip/zip.ts'

const MAX_INFLATED_BYTES = 256 * 1_048_576
// A file of 16 MiB has no more.
const DIRECTORY_LIMITS = { maxEntries: 250_000, maxDirectoryBytes: 16 * 1_048_576 }

/** Returns the number of files in an archive according to its directory, without inflating anything. */
export function countFiles(bytes: Uint8Array): number {
  let count = 0
  const filter = ({ name }: { name: string }) => {
    if (!name.endsWith('/')) count++
    return false
  }
  try {
    unzipSync(bytes, { filter })
    return count
  } catch {
    return 0
  }
}

/**
 * Returns how many files of an archive differ from each other, by the SHA-256 of their content. Undefined if
 * the number is not known: the content is too large, or the archive contradicts itself.
 */
export async function countDistinctFiles(bytes: Uint8Array): Promise<number | undefined> {
  const archive: Archive = {
    sizeBytes: bytes.length,
    read: async function* (first, last) {
      yield bytes.subarray(first, last + 1)
    },
  }
  try {
    const entries = (await listEntries(archive, DIRECTORY_LIMITS)).filter(({ path }) => !path.endsWith('/'))
    if (entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MAX_INFLATED_BYTES) return undefined
    const hashes = new Set<string>()
    for (const entry of entries) {
      const hash = createHash('sha256')
      for await (const chunk of entry.read()) hash.update(chunk)
      hashes.add(hash.digest('base64'))
    }
    return hashes.size
  } catch (error) {
    if (error instanceof ArchiveRefused) return undefined
    throw error
  }
}
