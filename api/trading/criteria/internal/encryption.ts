import { isPdf } from '../../../platform/files/signatures.ts'
import { type Archive, ArchiveRefused } from '../../../platform/zip/archive.ts'
import { listAllEntries, type ZipEntry } from '../../../platform/zip/zip.ts'

const SIGNATURE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
// An entry of the directory (MS-CFB 2.6.1) begins with the name.
const ENTRY = { bytes: 128, type: 66, firstSector: 116, sizeBytes: 120 }
const [STREAM, MIN_STREAM_BYTES] = [2, 4_096]
// Streams of a document that is encrypted as a whole: MS-OFFCRYPTO 2.3.2 and 2.3.5.4.
const ENCRYPTED_STREAMS: readonly string[] = ['EncryptedPackage', 'EncryptedSummary']
// The flag of an encrypted Word document (MS-DOC 2.5.2), the record of an encrypted workbook
// (MS-XLS 2.4.117), and the token of encrypted slides (MS-PPT 2.3.2).
const [WORD_FLAGS_AT, WORD_ENCRYPTED] = [10, 0x01]
const [FILE_PASS, RECORD_BYTES, MAX_RECORDS] = [0x002f, 4, 8]
const SLIDES_TOKEN = Buffer.from([0xdf, 0xc4, 0xd1, 0xf3])
const BEGINNING_BYTES = 512
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

/**
 * Returns whether a file with this beginning is a compound file: a document of Office before 2007, or an
 * encrypted newer one.
 */
function isCompoundFile(head: string): boolean {
  return head.startsWith(SIGNATURE)
}

/** Returns whether a compound file is an encrypted document of Word, Excel, PowerPoint, or a newer Office. */
function isCompoundFileEncrypted(given: Uint8Array): boolean {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
  if (ENCRYPTED_STREAMS.some((name) => entryOf(bytes, name) !== undefined)) return true
  if (entryOf(bytes, 'PowerPoint Document') !== undefined && bytes.includes(SLIDES_TOKEN)) return true
  const word = beginningOf(bytes, 'WordDocument')
  if (word !== undefined && ((word[WORD_FLAGS_AT + 1] ?? 0) & WORD_ENCRYPTED) !== 0) return true
  return ['Workbook', 'Book'].some((name) => isWorkbookEncrypted(beginningOf(bytes, name)))
}

/** Looks for the record among the first ones. */
function isWorkbookEncrypted(records: Buffer | undefined): boolean {
  let at = 0
  for (let number = 0; number < MAX_RECORDS && records && at + RECORD_BYTES <= records.length; number++) {
    if (records.readUInt16LE(at) === FILE_PASS) return true
    at += RECORD_BYTES + records.readUInt16LE(at + 2)
  }
  return false
}

function entryOf(bytes: Buffer, name: string): Buffer | undefined {
  const sought = Buffer.from(`${name}\0`, 'utf16le')
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + 1)) {
    const entry = bytes.subarray(at, at + ENTRY.bytes)
    if (at % ENTRY.bytes === 0 && entry.length === ENTRY.bytes && entry[ENTRY.type] === STREAM) return entry
  }
  return undefined
}

/** Returns the beginning of a stream, or undefined for a small one, which has no sectors of its own. */
function beginningOf(bytes: Buffer, name: string): Buffer | undefined {
  const entry = entryOf(bytes, name)
  if (!entry || entry.readUInt32LE(ENTRY.sizeBytes) < MIN_STREAM_BYTES) return undefined
  const sectorBytes = 2 ** Math.min(bytes.readUInt16LE(30), 16)
  const at = (entry.readUInt32LE(ENTRY.firstSector) + 1) * sectorBytes
  return bytes.subarray(at, at + BEGINNING_BYTES)
}
