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

/**
 * Returns whether a file with this beginning is a compound file: a document of Office before 2007, or an
 * encrypted newer one.
 */
export function isCompoundFile(head: string): boolean {
  return head.startsWith(SIGNATURE)
}

/** Returns whether a compound file is an encrypted document of Word, Excel, PowerPoint, or a newer Office. */
export function isCompoundFileEncrypted(given: Uint8Array): boolean {
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
