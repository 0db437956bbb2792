import { isUtf8 } from 'node:buffer'
import { isAvif, isPdf } from '../../platform/files/signatures.ts'
import { archiveReader, ENTRY } from './internal/archiveType.ts'
import { cutBytes, encodingBeyond, encodingOf } from './textEncoding.ts'

/**
 * How many bytes show the type of a file: its first ones, and of an archive its last ones, which list its
 * entries.
 */
const EDGE_BYTES = 16_384
/** The type of bytes that are of no known one. */
export const UNKNOWN = 'application/octet-stream'
const TEXT = /^(?:text\/|application\/xml$|image\/svg\+xml$)/
// What a part of HTML begins with, after comments. Within a text they may be Markdown's or a program's.
const HTML_PART =
  /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:meta|link|base|span|b|i|u|s|em|strong|font|center|pre|form|figure|picture|video|audio|details|dl|dt|dd|li|td|tr|hr|nav|main|header|footer|aside)[\s/>]/
// From the first bytes; `at` is where they are.
const SIGNATURES: readonly { bytes: string; at?: number; type: string }[] = [
  { bytes: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { bytes: '\xff\xd8\xff', type: 'image/jpeg' },
  { bytes: 'GIF87a', type: 'image/gif' },
  { bytes: 'GIF89a', type: 'image/gif' },
  { bytes: 'WEBP', at: 8, type: 'image/webp' },
  { bytes: 'ftyphei', at: 4, type: 'image/heic' },
  { bytes: 'ftypmif1', at: 4, type: 'image/heic' },
  { bytes: 'II*\0', type: 'image/tiff' },
  { bytes: 'MM\0*', type: 'image/tiff' },
  { bytes: 'II+\0\x08\0', type: 'image/tiff' },
  { bytes: 'MM\0+\0\x08', type: 'image/tiff' },
  { bytes: 'ftyp', at: 4, type: 'video/mp4' },
  { bytes: '\x1a\x45\xdf\xa3', type: 'video/webm' },
  { bytes: '{\\rtf', type: 'application/rtf' },
  { bytes: 'OggS', type: 'audio/ogg' },
  { bytes: 'ID3', type: 'audio/mpeg' },
]

/** The first and the last bytes of a file. */
interface Edges {
  head: Buffer
  tail: Buffer
}

/** What the bytes of a file are. */
export interface FileType {
  mediaType: string
  /** Of a text: its encoding, by its name in the Encoding Standard. */
  encoding: string | null
}

/** Returns an object that takes the chunks of a file, one after the other, and tells what they are. */
export function typeReader(): { add: (chunk: Uint8Array) => void; type: () => FileType } {
  const edges: Edges = { head: Buffer.alloc(0), tail: Buffer.alloc(0) }
  const last = Buffer.alloc(EDGE_BYTES)
  const archive = archiveReader()
  let isUnicode = true
  // The beginning of a character whose end is in the next chunk.
  let begun = Buffer.alloc(0)
  const add = (chunk: Uint8Array) => {
    if (edges.head.length < EDGE_BYTES) edges.head = Buffer.concat([edges.head, chunk]).subarray(0, EDGE_BYTES)
    edges.tail = keepLast(last, edges.tail.length, chunk)
    if (isArchive(edges.head)) archive.add(chunk)
    if (!isUnicode) return
    const bytes = begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk
    const whole = bytes.subarray(0, bytes.length - cutBytes(bytes))
    begun = Buffer.from(bytes.subarray(whole.length))
    isUnicode = isUtf8(whole)
  }
  return {
    add,
    type: () => {
      const mediaType = isArchive(edges.head) ? archive.type(edges.head, edges.tail) : mediaTypeOf(edges.head)
      return { mediaType, encoding: encodingIn(mediaType, edges.head, isUnicode && begun.length === 0) }
    },
  }
}

// A copy, because whoever made the chunk may use its memory again; in the same memory, because new memory for
// each chunk keeps the garbage collector busy.
function keepLast(memory: Buffer, keptBytes: number, chunk: Uint8Array): Buffer {
  const added = chunk.subarray(-EDGE_BYTES)
  const stayBytes = Math.min(keptBytes, EDGE_BYTES - added.length)
  memory.copyWithin(0, keptBytes - stayBytes, keptBytes)
  memory.set(added, stayBytes)
  return memory.subarray(0, stayBytes + added.length)
}

function isArchive(head: Buffer): boolean {
  return head.toString('latin1', 0, ENTRY.length) === ENTRY
}

function encodingIn(mediaType: string, head: Buffer, isUnicode: boolean): string | null {
  const encoding = TEXT.test(mediaType) ? headEncoding(head) : undefined
  if (encoding === undefined) return null
  return isUnicode ? encoding : encodingBeyond(head, encoding)
}

/**
 * Returns the media type of a file that is no archive by its first bytes, whatever type the sender gave. Text
 * that a browser could run is HTML, SVG or XML. A file that is neither text nor of a known type is
 * application/octet-stream.
 */
function mediaTypeOf(head: Buffer): string {
  const latin = head.toString('latin1')
  if (isAvif(latin)) return 'image/avif'
  const found = SIGNATURES.find(({ bytes, at = 0 }) => latin.startsWith(bytes, at))
  if (found) return found.type
  return isPdf(latin) ? 'application/pdf' : (textType(head) ?? UNKNOWN)
}

function textType(head: Buffer): string | undefined {
  const text = textOf(head)?.toLowerCase()
  if (text === undefined) return undefined
  if (text.includes('<svg')) return 'image/svg+xml'
  if (
    /<(!doctype\s+html|html|head|body|script|iframe|style|title|table|div|h[1-6]|ul|ol|section|article|blockquote|a\s|img|br|p)[\s>/]/.test(
      text,
    )
  )
    return 'text/html'
  if (HTML_PART.test(text)) return 'text/html'
  if (/^\s*<\?xml|^\s*<[a-z][\w:.-]*[\s>]/.test(text)) return 'application/xml'
  return 'text/plain'
}

function headEncoding(head: Buffer): string | undefined {
  return encodingOf(head, { isWhole: head.length < EDGE_BYTES })
}

function textOf(head: Buffer): string | undefined {
  const encoding = headEncoding(head)
  if (encoding === undefined) return undefined
  try {
    // With `stream`, the decoder leaves out a character that is cut at the end. UTF-8 may have broken
    // characters.
    const text = new TextDecoder(encoding, { fatal: encoding !== 'utf-8' }).decode(head, { stream: true })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
