import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

const EXCERPT_BYTES = 1_000
/** How much of a compressed body is read: enough for the decoders that first need a whole block. */
const COMPRESSED_BYTES = 16_384
const MAX_ENCODINGS = 2
// The least that receivers of HTTP must support (RFC 9659): a frame can ask for gigabytes.
const ZSTD_WINDOW_LOG = 23

// An answer that breaks off is decoded as far as it arrived.
const gunzip = () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Transform>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // Some servers leave out the header that RFC 9110 asks for: its first two bytes are a multiple of 31.
  deflate: (bytes) =>
    ((bytes[0] ?? 0) & 15) === 8 && bytes.length > 1 && bytes.readUInt16BE() % 31 === 0
      ? createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
      : createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () =>
    createZstdDecompress({
      finishFlush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
}

const BYTE_ORDER_MARKS: readonly [string, string][] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]
const NAMED = /;\s*charset\s*=\s*"?([^\s;"]+)/i
/** How HTML and XML name their charset. */
const DECLARED = /<(?:meta\s[^>]*charset|\?xml\s[^>]*encoding)\s*=\s*["']?([\w-]+)/i
const characters = new Intl.Segmenter()

/**
 * Reads the beginning of an answer's body: as text that Postgres can store, decoded by its Content-Encoding
 * and charset, and cut between characters. Bytes that a slow receiver has not sent are left out.
 */
export async function readExcerpt(response: IncomingMessage): Promise<string> {
  const { 'content-encoding': encoding = '', 'content-type': type = '' } = response.headers
  const names = encoding.split(',', MAX_ENCODINGS + 1).map((name) => name.trim().toLowerCase())
  const decoders = names.flatMap((name) => DECODERS[name] ?? [])
  let bytes = await readBeginning(response, decoders.length > 0 ? COMPRESSED_BYTES : EXCERPT_BYTES)
  if (decoders.length <= MAX_ENCODINGS) {
    for (const decoder of decoders.toReversed()) bytes = await decode(decoder(bytes), bytes)
  }
  return textOf(bytes, type)
}

async function readBeginning(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response) {
      parts.push(part)
      size += part.length
      if (size >= maxBytes) break
    }
  } catch {
    // The connection broke, or the deadline has passed.
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}

/** Decodes bytes until there are enough of them. Returns the bytes as they are if none can be decoded. */
async function decode(decoder: Transform, bytes: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  decoder.on('data', (part: Buffer) => {
    parts.push(part)
    size += part.length
    if (size >= COMPRESSED_BYTES) decoder.destroy()
  })
  decoder.on('error', () => {}).on('close', resolve)
  decoder.end(bytes)
  await promise
  return size === 0 ? bytes : Buffer.concat(parts)
}

function textOf(bytes: Buffer, contentType: string): string {
  const shown = bytes.subarray(0, EXCERPT_BYTES)
  // Incomplete characters at the end are left out.
  const text = decoderFor(shown, contentType).decode(shown, { stream: true }).replaceAll('\0', '')
  // The last character of more may go on behind the cut.
  return bytes.length >= EXCERPT_BYTES ? withoutLast(text) : text
}

function withoutLast(text: string): string {
  const last = characters.segment(text).containing(text.length - 1)?.index ?? 0
  return last === 0 ? text : text.slice(0, last)
}

/** By its byte order mark, its header, its own declaration, or what its bytes can be. */
function decoderFor(bytes: Buffer, contentType: string): InstanceType<typeof TextDecoder> {
  const marked = BYTE_ORDER_MARKS.find(([mark]) => bytes.toString('hex', 0, 3).startsWith(mark))?.[1]
  const label = marked ?? NAMED.exec(contentType)?.[1] ?? DECLARED.exec(bytes.toString('latin1'))?.[1]
  try {
    if (label !== undefined) return new TextDecoder(label)
  } catch {
    // Nobody knows this charset.
  }
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252')
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
