import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { ArchiveRefused } from '../../../platform/zip/archive.ts'
import type { ZipEntry } from '../../../platform/zip/zip.ts'
import { beginsEncrypted, isEncrypted, isPackageEncrypted, listFiles, readFile } from './encryption.ts'

const MAX_INFLATED_BYTES = 256 * 1_048_576
const WHITE_SPACE: readonly number[] = [...'\t\n\v\f\r '].map((character) => character.charCodeAt(0))

/**
 * Returns the number of files of an archive that have any content, or of those that differ from each other by
 * the SHA-256 of their content. Undefined if the number is not known: the content is too large, the archive
 * contradicts itself, or too few files can be read without a password.
 */
export async function countFiles(
  bytes: Uint8Array,
  { expected, distinct = false }: { expected: number; distinct?: boolean | undefined },
): Promise<number | undefined> {
  const files = await listFiles(bytes)
  if (!files) return beginsEncrypted(bytes) || isListing(bytes) ? undefined : 0
  if (files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MAX_INFLATED_BYTES) return undefined
  const isHidden = await isPackageEncrypted(files)
  const hashes: string[] = []
  let unknown = 0
  for (const file of files) {
    const content = isHidden ? undefined : await contentOf(file)
    if (!content) unknown++
    else if (!content.every((byte) => WHITE_SPACE.includes(byte)))
      hashes.push(createHash('sha256').update(content).digest('base64'))
  }
  const units = distinct ? new Set(hashes).size : hashes.length
  return unknown > 0 && units < expected ? undefined : units
}

/** The content of a file, or undefined if it cannot be read or is itself encrypted. */
async function contentOf(file: ZipEntry): Promise<Buffer | undefined> {
  try {
    const content = await readFile(file)
    return (await isEncrypted(content)) ? undefined : content
  } catch (error) {
    if (error instanceof ArchiveRefused) return undefined
    throw error
  }
}

/** Returns whether bytes have the directory of an archive with a file in it. */
function isListing(bytes: Uint8Array): boolean {
  let isFound = false
  const filter = ({ name }: { name: string }) => {
    isFound ||= !name.endsWith('/')
    return false
  }
  try {
    unzipSync(bytes, { filter })
    return isFound
  } catch {
    return false
  }
}
