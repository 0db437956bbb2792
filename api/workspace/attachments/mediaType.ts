import { encodingOf } from '../processing/textEncoding.ts'

/** How many bytes of a file tell what it is. */
export const HEAD_BYTES = 16_384
const UNKNOWN = 'application/octet-stream'
const OPEN_DOCUMENT =
  /mimetype(application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)|application\/epub\+zip)/
const OFFICE = 'application/vnd.openxmlformats-officedocument'
const ENTRY = 'PK\x03\x04'
// The folder of an entry, which its header names after 30 bytes: other archives have folders such as password/.
const OFFICE_ENTRY = new RegExp(`${ENTRY}[\\s\\S]{26}(word|xl|ppt)/`)
const OFFICE_KINDS: Readonly<Record<string, string>> = {
  word: 'wordprocessingml.document',
  xl: 'spreadsheetml.sheet',
  ppt: 'presentationml.presentation',
}

// From the first bytes; `at` is where they are.
const SIGNATURES: readonly { bytes: string; at?: number; type: string }[] = [
  { bytes: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { bytes: '\xff\xd8\xff', type: 'image/jpeg' },
  { bytes: 'GIF87a', type: 'image/gif' },
  { bytes: 'GIF89a', type: 'image/gif' },
  { bytes: 'WEBP', at: 8, type: 'image/webp' },
  { bytes: 'ftypavif', at: 4, type: 'image/avif' },
  { bytes: 'ftyphei', at: 4, type: 'image/heic' },
  { bytes: 'ftypmif1', at: 4, type: 'image/heic' },
  { bytes: 'II*\0', type: 'image/tiff' },
  { bytes: 'MM\0*', type: 'image/tiff' },
  { bytes: '%PDF-', type: 'application/pdf' },
  { bytes: 'ftyp', at: 4, type: 'video/mp4' },
  { bytes: '\x1a\x45\xdf\xa3', type: 'video/webm' },
  { bytes: '{\\rtf', type: 'application/rtf' },
  { bytes: 'OggS', type: 'audio/ogg' },
  { bytes: 'ID3', type: 'audio/mpeg' },
]

/**
 * Returns the media type of a file by its first bytes, whatever its sender says it is. Text that a browser could run is
 * HTML, SVG or XML; anything else that is no text and is not known is application/octet-stream.
 */
export function mediaTypeOf(head: Buffer): string {
  const latin = head.toString('latin1')
  const found = SIGNATURES.find(({ bytes, at = 0 }) => latin.startsWith(bytes, at))
  if (found) return found.type
  if (latin.startsWith(ENTRY)) return archiveType(latin)
  return textType(head) ?? UNKNOWN
}

function archiveType(latin: string): string {
  const openDocument = OPEN_DOCUMENT.exec(latin)?.[1]
  if (openDocument) return openDocument
  const kind = OFFICE_KINDS[OFFICE_ENTRY.exec(latin)?.[1] ?? '']
  return kind === undefined ? 'application/zip' : `${OFFICE}.${kind}`
}

function textType(head: Buffer): string | undefined {
  const text = textOf(head)?.toLowerCase()
  if (text === undefined) return undefined
  if (text.includes('<svg')) return 'image/svg+xml'
  if (/<(!doctype\s+html|html|head|body|script|iframe|style|title|table|div|a\s|img|br|p)[\s>/]/.test(text))
    return 'text/html'
  if (/^\s*<\?xml|^\s*<[a-z][\w:.-]*[\s>]/.test(text)) return 'application/xml'
  return 'text/plain'
}

function textOf(head: Buffer): string | undefined {
  const encoding = encodingOf(head, { isWhole: head.length < HEAD_BYTES })
  if (encoding === undefined) return undefined
  try {
    // Streaming leaves out a character that is cut at the end.
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
