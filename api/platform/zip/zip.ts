import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Archive, ArchiveRefused, damaged, readAll } from './archive.ts'
import { type DirectoryPlace, readWideEnd, WIDE_16, WIDE_32, widened } from './zip64.ts'

// APPNOTE.TXT 6.3, sections 4.3.16, 4.3.12 and 4.3.7: the end record, an entry of the directory, and the header before bytes.
const END = { signature: 0x06054b50, bytes: 22, maxCommentBytes: 65_535 }
const ENTRY = { signature: 0x02014b50, bytes: 46 }
const HEADER = { signature: 0x04034b50, bytes: 30 }
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
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
  packedBytes: number
  headerAt: number
  crc: number
  isDeflated: boolean
  /** A symbolic link: its bytes are the path that it leads to. */
  isLink: boolean
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
  const { count, at, bytes } = await findDirectory(archive)
  const { maxEntries, maxDirectoryBytes } = limits
  if (count > maxEntries) throw new ArchiveRefused(`An archive may have ${maxEntries} entries; this one has ${count}.`)
  if (bytes > maxDirectoryBytes) throw new ArchiveRefused('The names in the archive are too long.')
  const directory = await readAll(archive, at, bytes)
  const entries: ZipEntry[] = []
  for (let next = 0; entries.length < count; ) {
    const { entry, length } = parseEntry(directory.subarray(next))
    entries.push(entry)
    next += length
  }
  const packed = entries.reduce((sum, { packedBytes }) => sum + HEADER.bytes + packedBytes, 0)
  // Entries that share bytes are how a small archive inflates to a large one.
  if (packed > at) throw damaged()
  return entries
}

async function findDirectory(archive: Archive): Promise<DirectoryPlace> {
  const { sizeBytes } = archive
  const tailBytes = Math.min(sizeBytes, END.bytes + END.maxCommentBytes)
  const tail = await readAll(archive, sizeBytes - tailBytes, tailBytes)
  for (let at = tail.length - END.bytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END.signature || at + END.bytes + tail.readUInt16LE(at + 20) !== tail.length) continue
    const found = {
      count: tail.readUInt16LE(at + 10),
      bytes: tail.readUInt32LE(at + 12),
      at: tail.readUInt32LE(at + 16),
    }
    const endAt = sizeBytes - tail.length + at
    const isElsewhere = found.count === WIDE_16 || found.bytes === WIDE_32 || found.at === WIDE_32
    const place = isElsewhere ? await readWideEnd(archive, endAt) : found
    if (place.at + place.bytes > endAt) throw damaged()
    return place
  }
  throw new ArchiveRefused('This is no zip archive, or not all of one.')
}

function parseEntry(bytes: Buffer): { entry: ZipEntry; length: number } {
  if (bytes.length < ENTRY.bytes || bytes.readUInt32LE(0) !== ENTRY.signature) throw damaged()
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((at) => bytes.readUInt16LE(at)) as [
    number,
    number,
    number,
  ]
  const length = ENTRY.bytes + nameBytes + extraBytes + commentBytes
  if (length > bytes.length) throw damaged()
  const path = nameOf(bytes.subarray(ENTRY.bytes, ENTRY.bytes + nameBytes))
  const extra = bytes.subarray(ENTRY.bytes + nameBytes, ENTRY.bytes + nameBytes + extraBytes)
  const method = bytes.readUInt16LE(10)
  if ((bytes.readUInt16LE(8) & ENCRYPTED) !== 0) throw new ArchiveRefused(`${path} is encrypted.`)
  if (method !== STORED && method !== DEFLATED) throw new ArchiveRefused(`${path} is packed in a way that is not read.`)
  const [sizeBytes, packedBytes, headerAt] = widened(
    [24, 20, 42].map((at) => bytes.readUInt32LE(at)),
    extra,
  ) as [number, number, number]
  const isLink = bytes.readUInt8(5) === UNIX && bytes.readUInt32LE(38) >>> 28 === LINK_TYPE
  const [crc, isDeflated] = [bytes.readUInt32LE(16), method === DEFLATED]
  return { entry: { path, sizeBytes, packedBytes, headerAt, crc, isDeflated, isLink }, length }
}

/**
 * Yields the bytes of an entry, as they are inflated. Throws ArchiveRefused at the first byte beyond its announced size, and
 * where they are not the bytes that were packed.
 */
export async function* readEntry(archive: Archive, entry: ZipEntry): AsyncGenerator<Buffer> {
  const header = await readAll(archive, entry.headerAt, HEADER.bytes)
  if (header.readUInt32LE(0) !== HEADER.signature) throw damaged()
  const at = entry.headerAt + HEADER.bytes + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (at + entry.packedBytes > archive.sizeBytes) throw damaged()
  let sizeBytes = 0
  let crc = 0
  for await (const chunk of unpacked(archive, entry, at)) {
    sizeBytes += chunk.length
    if (sizeBytes > entry.sizeBytes) throw damaged()
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (sizeBytes !== entry.sizeBytes || crc !== entry.crc) throw damaged()
}

async function* unpacked(archive: Archive, { packedBytes, isDeflated }: ZipEntry, at: number): AsyncGenerator<Buffer> {
  if (packedBytes === 0) return
  const packed = archive.read(at, at + packedBytes - 1)
  if (!isDeflated) {
    for await (const chunk of packed) yield Buffer.from(chunk)
    return
  }
  const inflate = createInflateRaw()
  // What fails here fails the loop too.
  pipeline(Readable.from(packed), inflate).catch(() => {})
  try {
    yield* inflate
  } catch (error) {
    throw isOfZlib(error) ? damaged() : error
  }
}

// Names are UTF-8, also of programs that do not say so.
function nameOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Array.from(bytes, (byte) => CODE_PAGE_437[byte - 128] ?? String.fromCharCode(byte)).join('')
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
