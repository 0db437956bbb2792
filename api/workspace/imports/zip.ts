import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { ImportRefused, MAX_DIRECTORY_BYTES, MAX_ENTRIES } from './limits.ts'

// APPNOTE.TXT 6.3, sections 4.3.16, 4.3.12 and 4.3.7: the end record, an entry of the directory, and the header before bytes.
const END = { signature: 0x06054b50, bytes: 22, maxCommentBytes: 65_535 }
const ENTRY = { signature: 0x02014b50, bytes: 46 }
const HEADER = { signature: 0x04034b50, bytes: 30 }
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
const IN_ZIP64 = 0xffff_ffff

/** A zip archive: how long it is, and some of its bytes, both ends included. */
export interface Archive {
  sizeBytes: number
  read: (first: number, last: number) => AsyncIterable<Uint8Array>
}

/** A file or a folder (its path ends in /) of an archive, as the archive's directory has it. */
export interface ZipEntry {
  path: string
  sizeBytes: number
  packedBytes: number
  headerAt: number
  crc: number
  isDeflated: boolean
}

/**
 * Lists what is in an archive, from its directory alone. Throws ImportRefused for what is no zip archive, is encrypted, has
 * too many entries, entries that overlap, or needs zip64.
 */
export async function listEntries(archive: Archive): Promise<ZipEntry[]> {
  const { count, at, bytes } = await findDirectory(archive)
  if (count > MAX_ENTRIES) throw new ImportRefused(`An archive may have ${MAX_ENTRIES} entries; this one has ${count}.`)
  if (bytes > MAX_DIRECTORY_BYTES) throw new ImportRefused('The names in the archive are too long.')
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

async function findDirectory(archive: Archive): Promise<{ count: number; at: number; bytes: number }> {
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
    if (found.at === IN_ZIP64) throw new ImportRefused('Archives of the zip64 format are not read.')
    if (found.at + found.bytes > sizeBytes - tail.length + at) throw damaged()
    return found
  }
  throw new ImportRefused('This is no zip archive, or not all of one.')
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
  const method = bytes.readUInt16LE(10)
  const [crc, packedBytes, sizeBytes, headerAt] = [16, 20, 24, 42].map((at) => bytes.readUInt32LE(at)) as [
    ...[number, number, number, number],
  ]
  if ((bytes.readUInt16LE(8) & ENCRYPTED) !== 0) throw new ImportRefused(`${path} is encrypted.`)
  if (method !== STORED && method !== DEFLATED) throw new ImportRefused(`${path} is packed in a way that is not read.`)
  if ([packedBytes, sizeBytes, headerAt].includes(IN_ZIP64)) {
    throw new ImportRefused('Archives of the zip64 format are not read.')
  }
  return { entry: { path, sizeBytes, packedBytes, headerAt, crc, isDeflated: method === DEFLATED }, length }
}

/**
 * Yields the bytes of an entry, as they are inflated. Throws ImportRefused at the first byte beyond its announced size, and
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

async function readAll(archive: Archive, at: number, bytes: number): Promise<Buffer> {
  if (at + bytes > archive.sizeBytes) throw damaged()
  const chunks: Uint8Array[] = []
  if (bytes > 0) for await (const chunk of archive.read(at, at + bytes - 1)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

// Names are UTF-8, also of programs that do not say so; others are read byte by byte.
function nameOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function damaged(): ImportRefused {
  return new ImportRefused('The archive is damaged.')
}
