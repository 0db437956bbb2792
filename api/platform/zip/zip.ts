import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import { type Archive, ArchiveReader, ArchiveRefused } from './archive.ts'

// APPNOTE.TXT 6.3, sections 4.3.16, 4.3.12 and 4.3.7: how long the end record, an entry of the directory, and the header before
// bytes are at least.
const [END_BYTES, ENTRY_BYTES, HEADER_BYTES] = [22, 46, 30]
// Who made an entry, and the type of file that they noted: APPNOTE.TXT 4.4.2, and S_IFLNK of POSIX.
const UNIX = 3
const LINK_TYPE = 0xa
// What names are in that are not UTF-8 (APPNOTE.TXT, D.1): code page 437, from byte 128 on.
const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** A file or a folder (its path ends in /) of an archive, as the archive's directory has it. */
export interface ZipEntry {
  path: string
  sizeBytes: number
  /** A symbolic link: its bytes are the path that it leads to. */
  isLink: boolean
  /**
   * Yields its bytes, as they are inflated. Throws ArchiveRefused at the first byte beyond its announced size, and where they
   * are not the bytes that were packed.
   */
  read: () => AsyncGenerator<Buffer>
}

/** How many entries an archive may have, folders included, and how long its list of them may be. */
export interface DirectoryLimits {
  maxEntries: number
  maxDirectoryBytes: number
}

/**
 * Lists what is in an archive, from its directory alone. Throws ArchiveRefused for what is no zip archive, is encrypted, has
 * too many entries, or entries that overlap.
 */
export async function listEntries(archive: Archive, limits: DirectoryLimits): Promise<ZipEntry[]> {
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
  // Entries that share bytes are how a small archive inflates to a large one.
  const isShared = packedBytes + directoryBytes + END_BYTES > archive.sizeBytes
  if (isShared) throw new ArchiveRefused('The archive is damaged.')
  return entries
}

async function openZip(reader: ArchiveReader, sizeBytes: number): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(reader, sizeBytes, { autoClose: false, decodeStrings: false })
  } catch (error) {
    throw reader.reasonOf(error, new ArchiveRefused('This is no zip archive, or not all of one.'))
  }
}

function entryOf(reader: ArchiveReader, zip: ZipFile, entry: Entry): ZipEntry {
  const path = nameOf(entry.fileNameRaw)
  if (entry.isEncrypted()) throw new ArchiveRefused(`${path} is encrypted.`)
  if (!entry.canDecodeFileData()) throw new ArchiveRefused(`${path} is packed in a way that is not read.`)
  const isLink = entry.versionMadeBy >>> 8 === UNIX && entry.externalFileAttributes >>> 28 === LINK_TYPE
  return { path, sizeBytes: entry.uncompressedSize, isLink, read: () => readEntry(reader, zip, entry) }
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

// Names are UTF-8, also of programs that do not say so.
function nameOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Array.from(bytes, (byte) => CODE_PAGE_437[byte - 128] ?? String.fromCharCode(byte)).join('')
  }
}
