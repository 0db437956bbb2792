import { fileTypeFromBuffer } from 'file-type'
import { isAvif, isPdf } from '../../../platform/files/signatures.ts'
import type { CheckResult } from '../results.ts'
import { type Content, jsonOf } from './content.ts'
import { isEncrypted } from './encryption.ts'
import { isTable } from './table.ts'

const UNKNOWN = 'application/octet-stream'
const PLAIN = 'text/plain'
const JSON_TYPE = 'application/json'
const XML = 'application/xml'
const HEAD_BYTES = 16_384
const COMMENTS = String.raw`(?:<!--(?:(?!-->)[\s\S])*-->\s*)*`
const PROLOG = String.raw`(?:<\?xml[^>]*\?>\s*)?${COMMENTS}`

// The beginnings, after white space, of text that has a type of its own.
const TEXT_SIGNATURES: readonly [RegExp, string][] = [
  [/^\{\\rtf/, 'application/rtf'],
  [/^%!PS-Adobe-[\d.]+ EPSF/, 'application/eps'],
  [/^%!PS/, 'application/postscript'],
  [/^-----BEGIN PGP MESSAGE-----/, 'application/pgp-encrypted'],
  [/^BEGIN:VCALENDAR\s/i, 'text/calendar'],
  [/^BEGIN:VCARD\s/i, 'text/vcard'],
  [/^WEBVTT(?:\s|$)/, 'text/vtt'],
  [new RegExp(`^${PROLOG}(?:<!DOCTYPE\\s+svg[^>]*>\\s*)?<svg[\\s>/]`, 'i'), 'image/svg+xml'],
  [new RegExp(`^${PROLOG}<(?:!DOCTYPE\\s+html|html|head|body|title|meta|script|style)[\\s>]`, 'i'), 'text/html'],
  [/^<\?xml\s/, XML],
]

// The further types that a file of a type also has. ISO names several types for one container; the names of
// `file-type` are on the left.
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'application/rtf': ['text/rtf'],
  [XML]: ['text/xml'],
  'image/svg+xml': [XML, 'text/xml'],
  'application/eps': ['application/postscript'],
  'image/apng': ['image/png'],
  'image/heif': ['image/heic'],
  'image/heic': ['image/heif'],
  'image/heif-sequence': ['image/heic-sequence'],
  'image/heic-sequence': ['image/heif-sequence'],
  'audio/x-m4a': ['audio/mp4'],
  'video/x-m4v': ['video/mp4'],
  'video/mp1s': ['video/mpeg'],
  'video/mp2p': ['video/mpeg'],
}
// Text of these types may be meant as text of any other.
const OPEN_TEXT: readonly string[] = [PLAIN, JSON_TYPE, XML, 'text/html', 'image/svg+xml']
const PLAIN_TYPES: readonly string[] = [PLAIN, 'text/markdown']
const MARKUP: readonly string[] = ['text/html', XML, 'text/xml']
const SHOWN_BY_SIGNATURE: readonly string[] = ['text/calendar', 'text/vcard', 'text/vtt', 'text/rtf']
// An encrypted document of these types is a compound file, in which the document is a stream of noise.
const COMPOUND_FILE = 'application/x-cfb'
const IN_COMPOUND_FILE = /^application\/vnd\.(?:openxmlformats-officedocument|ms-)/
const ZIP_BASED = /^application\/(?:vnd\.|epub|x-xpinstall|java-archive)|^model\/3mf$/

type Result = CheckResult['result']

/**
 * Returns the type of bytes, and whether it is one of these types; `unchecked` if the bytes do not show it,
 * as those of an encrypted file.
 */
export async function judgeType(
  content: Content,
  anyOf: readonly string[],
): Promise<{ result: Result; found: string }> {
  const signed = await signedType(content.bytes)
  const found = foundType(content, signed)
  const results = anyOf.map((type) => resultFor(type.toLowerCase(), { content, found, signed }))
  const result = (['pass', 'unchecked'] as const).find((one) => results.includes(one)) ?? 'fail'
  const mayBe = result === 'pass' || (found === COMPOUND_FILE && anyOf.some((type) => IN_COMPOUND_FILE.test(type)))
  return { result: mayBe && (await isEncrypted(content.bytes)) ? 'unchecked' : result, found }
}

/**
 * Returns the text of bytes whose lines can be counted, or undefined, as for a document format that is
 * written in text.
 */
export async function readableText(content: Content): Promise<string | undefined> {
  const found = foundType(content, await signedType(content.bytes))
  return OPEN_TEXT.includes(found) || found.startsWith('text/') ? content.text : undefined
}

/** Returns the text of bytes that may be a table, or undefined for bytes of another type. */
export async function tabularText(content: Content): Promise<string | undefined> {
  return mayBeTable(content, foundType(content, await signedType(content.bytes))) ? content.text : undefined
}

/** The type by the signature alone. Some names end with a codec or contain capitals, which are removed. */
async function signedType(bytes: Uint8Array): Promise<string | undefined> {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  const mime = (await fileTypeFromBuffer(bytes))?.mime.split(';')[0]?.toLowerCase()
  if (mime?.startsWith('image/hei') && isAvif(head)) return 'image/avif'
  return mime ?? (isPdf(head) ? 'application/pdf' : undefined)
}

/**
 * Text gets its type from its beginning: in text, a signature of two letters, such as that of a bitmap,
 * proves nothing.
 */
function foundType(content: Content, signed: string | undefined): string {
  const { text, bytes } = content
  if (text === undefined) return signed ?? UNKNOWN
  if (isPdf(Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1'))) return 'application/pdf'
  const start = text.trimStart()
  const own = TEXT_SIGNATURES.find(([signature]) => signature.test(start))?.[1]
  return own ?? (jsonOf(content) ? JSON_TYPE : PLAIN)
}

interface Found {
  content: Content
  found: string
  signed: string | undefined
}

function resultFor(type: string, { content, found, signed }: Found): Result {
  if (type === found || ALSO[found]?.includes(type)) return 'pass'
  // Text with the signature of another type may be of that type, such as a model in ASCII, or may be plain
  // words.
  if (type === signed) return 'unchecked'
  if (type === 'application/zip') return ZIP_BASED.test(found) ? 'unchecked' : 'fail'
  return content.text === undefined ? 'fail' : resultForText(type, content.text, { content, found })
}

function resultForText(type: string, text: string, { content, found }: Omit<Found, 'signed'>): Result {
  if (!OPEN_TEXT.includes(found) && !found.startsWith('text/')) return 'fail'
  if (type === 'text/csv') return mayBeTable(content, found) && isTable(text) ? 'pass' : 'fail'
  if (MARKUP.includes(type)) return /<[a-z][^<>]*>/i.test(text) ? 'unchecked' : 'fail'
  if (PLAIN_TYPES.includes(type) && (found === PLAIN || found === JSON_TYPE)) return 'pass'
  return type.startsWith('text/') && !SHOWN_BY_SIGNATURE.includes(type) ? 'unchecked' : 'fail'
}

/** A single number or word is JSON, and also a table of one cell. */
function mayBeTable(content: Content, found: string): boolean {
  if (found !== JSON_TYPE) return found === PLAIN
  const value = jsonOf(content)?.value
  return typeof value !== 'object' || value === null
}
