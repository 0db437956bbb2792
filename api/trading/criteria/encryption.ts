import { isPdf } from '../../platform/files/signatures.ts'
import { type Archive, ArchiveRefused } from '../../platform/zip/archive.ts'
import { listAllEntries, type ZipEntry } from '../../platform/zip/zip.ts'
import { isCompoundFile, isCompoundFileEncrypted } from './compoundFile.ts'

// A file of 16 MiB has no more.
const DIRECTORY_LIMITS = { maxEntries: 250_000, maxDirectoryBytes: 16 * 1_048_576 }
const SEVEN_ZIP = '7z\xbc\xaf\x27\x1c'
// The header at the start of an archive (7zFormat.txt) has the place of the list of files, counted from the
// end of this header, and the length of the list.
const [START_BYTES, OFFSET_AT, LENGTH_AT] = [32, 12, 20]
const PLAIN_LIST = 0x01
// The id of the encryption of 7-Zip, which the list names for the files.
const AES = Buffer.from([0x06, 0xf1, 0x07, 0x01])
const LOCAL_HEADER = 'PK\x03\x04'
// The files in which an OpenDocument or an EPUB lists its encrypted files. An obfuscated font does not count.
const PACKAGE_MARKS: Readonly<Record<string, RegExp>> = {
  'META-INF/manifest.xml': /encryption-data/,
  'META-INF/encryption.xml': /xmlenc#(?!\s*["'])/,
}
// Read as Latin-1 without zeros, so that UTF-16 reads the same.
const MAX_MARKS_BYTES = 16 * 1_048_576
const HEAD_BYTES = 16_384
// Any character of a name in a PDF may be written as # and two hex digits.
const PDF_ENCRYPT = new RegExp(
  `/${[...'Encrypt'].map((one) => `(?:${one}|#${one.charCodeAt(0).toString(16)})`).join('')}(?![A-Za-z0-9#_-])`,
  'i',
)
const PIECE_BYTES = 1_048_576
const OVERLAP_BYTES = 64

/**
 * Returns whether bytes are a file that is wholly or partly encrypted: a ZIP archive or a document that is
 * one, a 7z archive, a PDF, or a compound file of Office.
 */
export async function isEncrypted(bytes: Uint8Array): Promise<boolean> {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  if (head.startsWith(LOCAL_HEADER)) return isArchiveEncrypted(bytes)
  if (isCompoundFile(head)) return isCompoundFileEncrypted(bytes)
  if (head.startsWith(SEVEN_ZIP)) return isSevenZipEncrypted(bytes)
  return isPdf(head) && isPdfEncrypted(bytes)
}

/** Returns whether the first file of an archive is encrypted, whatever its directory says. */
export function beginsEncrypted(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 8))
  return head.length === 8 && head.toString('latin1', 0, 4) === LOCAL_HEADER && (head.readUInt16LE(6) & 1) === 1
}

/** Lists the files of an archive without its folders, or returns undefined if it cannot be listed. */
export async function listFiles(bytes: Uint8Array): Promise<ZipEntry[] | undefined> {
  const archive: Archive = {
    sizeBytes: bytes.length,
    read: async function* (first, last) {
      yield bytes.subarray(first, last + 1)
    },
  }
  try {
    return (await listAllEntries(archive, DIRECTORY_LIMITS)).filter(({ path }) => !path.endsWith('/'))
  } catch (error) {
    if (error instanceof ArchiveRefused) return undefined
    throw error
  }
}

/** Returns the content of a file of an archive. Throws ArchiveRefused if it cannot be read. */
export async function readFile(file: ZipEntry): Promise<Buffer> {
  const content = Buffer.alloc(file.sizeBytes)
  let at = 0
  for await (const chunk of file.read()) at += chunk.copy(content, at)
  return content
}

/** Returns whether a package says that its content is encrypted. */
export async function isPackageEncrypted(files: readonly ZipEntry[]): Promise<boolean> {
  for (const file of files) {
    const mark = PACKAGE_MARKS[file.path]
    if (mark === undefined || file.refusal !== undefined) continue
    if (file.sizeBytes > MAX_MARKS_BYTES) return true
    const content = await readFile(file).catch((error) => {
      if (error instanceof ArchiveRefused) return undefined
      throw error
    })
    if (content && mark.test(content.toString('latin1').replaceAll('\0', ''))) return true
  }
  return false
}

async function isArchiveEncrypted(bytes: Uint8Array): Promise<boolean> {
  const files = await listFiles(bytes)
  if (!files) return beginsEncrypted(bytes)
  return files.some((file) => file.isEncrypted) || isPackageEncrypted(files)
}

function isPdfEncrypted(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = Buffer.from(bytes.subarray(at, at + PIECE_BYTES + OVERLAP_BYTES))
    if (PDF_ENCRYPT.test(piece.toString('latin1'))) return true
  }
  return false
}

/**
 * Returns whether a 7z archive may be encrypted. A list of files that is packed, as programs write that of
 * several files, is not unpacked here, so what it says is not known.
 */
function isSevenZipEncrypted(given: Uint8Array): boolean {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
  if (bytes.length < START_BYTES) return false
  const at = START_BYTES + Number(bytes.readBigUInt64LE(OFFSET_AT))
  const list = bytes.subarray(at, at + Number(bytes.readBigUInt64LE(LENGTH_AT)))
  return list.length > 0 && (list[0] !== PLAIN_LIST || list.includes(AES))
}
