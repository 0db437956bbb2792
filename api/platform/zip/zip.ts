import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import { type Archive, ArchiveReader, ArchiveRefused } from './archive.ts'

// The minimum lengths of the end record, a directory entry, and a local file header: APPNOTE.TXT 6.3,
// sections 4.3.16, 4.3.12 and 4.3.7.
const [END_BYTES, ENTRY_BYTES, HEADER_BYTES] = [22, 46, 30]
// The system that made an entry, and the file type that it recorded: APPNOTE.TXT 4.4.2, and S_IFLNK of POSIX.
const UNIX = 3
const LINK_TYPE = 0xa
// The encoding of names that are not UTF-8 (APPNOTE.TXT, D.1): code page 437, from byte 128 on.
const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** A file or a folder (its path ends in /) of an archive, as listed in the archive's directory. */
export interface ZipEntry {
  path: string
  sizeBytes: number
  /** A symbolic link: its bytes are the path that it leads to. */
  isLink: boolean
  isEncrypted: boolean
  /** Why its bytes cannot be read: it is encrypted, or packed by a method that is not supported. */
  refusal: string | undefined
  /**
   * Yields its bytes while inflating them. Throws ArchiveRefused at the first byte beyond its stated size,
   * if the bytes differ from the packed ones, and if it cannot be read.
   */
  read: () => AsyncGenerator<Buffer>
}

/** How many entries an archive may have, folders included, and how long its list of them may be. */
export interface DirectoryLimits {
  maxEntries: number
  maxDirectoryBytes: number
}

/**
 * Lists the entries of an archive, from its directory alone. Throws ArchiveRefused if it is not a zip
 * archive, has an entry that cannot be read, has too many entries, or has entries that overlap.
 */
export async function listEntries(archive: Archive, limits: DirectoryLimits): Promise<ZipEntry[]> {
  const entries = await listAllEntries(archive, limits)
  const refusal = entries.find((entry) => entry.refusal !== undefined)?.refusal
  if (refusal !== undefined) throw new ArchiveRefused(refusal)
  return entries
}

/** Lists the entries of an archive as `listEntries`, with those that cannot be read. */
export async function listAllEntries(archive: Archive, limits: DirectoryLimits): Promise<ZipEntry[]> {
  const reader = new ArchiveReader(archive)
  const zip = await openZip(reader, archive.sizeBytes)
  const { maxEntries, maxDirectoryBytes } = limits
  if (zip.entryCount > maxEntries) {
    throw new ArchiveRefused(`An archive may have ${maxEntries} entries; this one has ${zip.entryCount}.`)
  }
  const entries: ZipEntry[] = []
  let [directoryBytes, packedBytes] = [0, 0]
  try {
    for await (const entry of zip.eachEntry()) {
      directoryBytes += ENTRY_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (directoryBytes > maxDirectoryBytes) throw new ArchiveRefused('The names in the archive are too long.')
      packedBytes += HEADER_BYTES + entry.compressedSize
      entries.push(entryOf(reader, zip, entry))
    }
  } catch (error) {
    throw reader.reasonOf(error)
  }
  // Overlapping entries are how a small archive can inflate to a large one.
  const isShared = packedBytes + directoryBytes + END_BYTES > archive.sizeBytes
  if (isShared) throw new ArchiveRefused('The archive is damaged.')
  return entries
}

async function openZip(reader: ArchiveReader, sizeBytes: number): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(reader, sizeBytes, { autoClose: false, decodeStrings: false })
  } catch (error) {
    throw reader.reasonOf(error, new ArchiveRefused('This is not a zip archive, or it is incomplete.'))
  }
}

function entryOf(reader: ArchiveReader, zip: ZipFile, entry: Entry): ZipEntry {
  const path = nameOf(entry.fileNameRaw)
  const isEncrypted = entry.isEncrypted()
  const refusal = refusalOf(path, entry)
  const isLink = entry.versionMadeBy >>> 8 === UNIX && entry.externalFileAttributes >>> 28 === LINK_TYPE
  const read = () => {
    if (refusal !== undefined) throw new ArchiveRefused(refusal)
    return readEntry(reader, zip, entry)
  }
  return { path, sizeBytes: entry.uncompressedSize, isLink, isEncrypted, refusal, read }
}

function refusalOf(path: string, entry: Entry): string | undefined {
  if (entry.isEncrypted()) return `${path} is encrypted.`
  return entry.canDecodeFileData() ? undefined : `${path} has a compression method that is not supported.`
}

async function* readEntry(reader: ArchiveReader, zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let crc = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      crc = crc32(chunk, crc)
      yield chunk
    }
  } catch (error) {
    throw reader.reasonOf(error)
  }
  if (crc !== entry.crc32) throw new ArchiveRefused('The archive is damaged.')
}

// Names are treated as UTF-8, even from programs that do not declare it.
function nameOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Array.from(bytes, (byte) => CODE_PAGE_437[byte - 128] ?? String.fromCharCode(byte)).join('')
  }
}
