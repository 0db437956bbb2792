import { constants, inflateRawSync } from 'node:zlib'

const OPEN_DOCUMENT =
  /^(application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)|application\/epub\+zip)/
const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OFFICE_KINDS: Readonly<Record<string, string>> = {
  word: 'wordprocessingml.document',
  xl: 'spreadsheetml.sheet',
  ppt: 'presentationml.presentation',
}
/** What an archive begins with. */
export const ENTRY = 'PK\x03\x04'
const LISTED = 'PK\x01\x02'
const END = 'PK\x05\x06'
const LISTED_BYTES = 46
const END_BYTES = 22
// The folder of an entry, which its header names after 30 bytes, and the list at the end after 46.
const OFFICE_ENTRY = new RegExp(`${ENTRY}[\\s\\S]{26}(word|xl|ppt)/`)
const OFFICE_LISTED = new RegExp(`${LISTED}[\\s\\S]{42}(word|xl|ppt)/`)
// The entry that names the type of an OpenDocument or a book.
const TYPE_NAME = 'mimetype'
const NAME_AT = 30
const TYPE_ENTRY_BYTES = 1_024
const MAX_TYPE_BYTES = 100
// Archives within the archive have such entries too: which is its own, its list says.
const MAX_NAMED = 1_000

/**
 * Returns an object that takes the chunks of an archive, one after the other, and tells its media type by its
 * last bytes.
 */
export function archiveReader(): { add: (chunk: Uint8Array) => void; type: (head: Buffer, tail: Buffer) => string } {
  const named = new Map<number, string>()
  let [readBytes, last] = [0, Buffer.alloc(0)]
  const add = (chunk: Uint8Array) => {
    const bytes = Buffer.concat([last, chunk])
    for (const { at, type } of namedTypes(bytes)) {
      if (named.size < MAX_NAMED) named.set(readBytes - last.length + at, type)
    }
    readBytes += chunk.length
    last = Buffer.from(bytes.subarray(-TYPE_ENTRY_BYTES))
  }
  const type = (head: Buffer, tail: Buffer) => {
    const entries = listedIn(tail)
    if (!entries) return [...named.values()][0] ?? officeType(folderIn(head, tail))
    const isOffice = entries.has('[Content_Types].xml')
    const folder = [...entries.keys()].map((name) => /^(word|xl|ppt)\//.exec(name)?.[1]).find((found) => found)
    return named.get(entries.get(TYPE_NAME) ?? -1) ?? officeType(isOffice ? folder : undefined)
  }
  return { add, type }
}

function officeType(folder: string | undefined): string {
  const kind = OFFICE_KINDS[folder ?? '']
  return kind === undefined ? 'application/zip' : `${OFFICE}.${kind}`
}

/** The folder by which an Office document is known if the list of its entries is too long to be read. */
function folderIn(head: Buffer, tail: Buffer): string | undefined {
  return (OFFICE_ENTRY.exec(head.toString('latin1')) ?? OFFICE_LISTED.exec(tail.toString('latin1')))?.[1]
}

/**
 * Returns where each entry of an archive begins, by its name. Undefined if the list is not whole in the last
 * bytes.
 */
function listedIn(tail: Buffer): Map<string, number> | undefined {
  const end = tail.lastIndexOf(END, undefined, 'latin1')
  if (end === -1 || end + END_BYTES > tail.length) return undefined
  let at = end - tail.readUInt32LE(end + 12)
  const entries = new Map<string, number>()
  while (at >= 0 && at + LISTED_BYTES <= end && tail.toString('latin1', at, at + 4) === LISTED) {
    const [nameBytes, extraBytes, noteBytes] = [28, 30, 32].map((field) => tail.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const nameAt = at + LISTED_BYTES
    entries.set(tail.toString('latin1', nameAt, nameAt + nameBytes), tail.readUInt32LE(at + 42))
    at = nameAt + nameBytes + extraBytes + noteBytes
  }
  return at === end ? entries : undefined
}

/** Finds entries that name a media type. They are stored uncompressed, or compressed if packed again. */
function* namedTypes(bytes: Buffer): Generator<{ at: number; type: string }> {
  for (let name = bytes.indexOf(TYPE_NAME, NAME_AT); name !== -1; name = bytes.indexOf(TYPE_NAME, name + 1)) {
    const at = name - NAME_AT
    if (bytes.toString('latin1', at, at + 4) !== ENTRY) continue
    const type = OPEN_DOCUMENT.exec(contentOf(bytes.subarray(at)))?.[1]
    if (type !== undefined) yield { at, type }
  }
}

function contentOf(entry: Buffer): string {
  const [isPacked, nameBytes, extraBytes] = [8, 26, 28].map((field) => entry.readUInt16LE(field)) as [
    number,
    number,
    number,
  ]
  const content = entry.subarray(NAME_AT + nameBytes + extraBytes)
  if (!isPacked) return content.subarray(0, MAX_TYPE_BYTES).toString('latin1')
  try {
    // The bytes after the entry are not part of it, and may be cut within it.
    const options = { maxOutputLength: MAX_TYPE_BYTES, finishFlush: constants.Z_SYNC_FLUSH }
    return inflateRawSync(content.subarray(0, TYPE_ENTRY_BYTES), options).toString('latin1')
  } catch {
    return ''
  }
}
