import { unpackLzma } from './lzma.ts'

const SIGNATURE = '7z\xbc\xaf\x27\x1c'
// The header at the start of an archive (7zFormat.txt) has the place of the list of files, counted from the
// end of this header, and the length of the list.
const [START_BYTES, OFFSET_AT, LENGTH_AT] = [32, 12, 20]
const PLAIN_LIST = 0x01
// The id of the encryption of 7-Zip. The list names it for the files, or for the list itself.
const AES = Buffer.from([0x06, 0xf1, 0x07, 0x01])
// A list that is compressed by LZMA, in the form that programs write: one stream, one folder, one coder.
const [PACKED_LIST, PACK_INFO, SIZES, DIGESTS, FOLDERS] = [0x17, 0x06, 0x09, 0x0a, [0x07, 0x0b, 0x01, 0x00]]
const [LZMA_CODER, PROPERTY_BYTES, UNPACKED_SIZES] = [[0x01, 0x23, 0x03, 0x01, 0x01, 0x05], 5, 0x0c]
const DIGEST_BYTES = 4
const MAX_LIST_BYTES = 16 * 1_048_576

/** Returns whether a file with this beginning is a 7z archive. */
export function isSevenZip(head: string): boolean {
  return head.startsWith(SIGNATURE)
}

/** Returns whether a 7z archive is encrypted. Returns true if its list of files cannot be read. */
export function isSevenZipEncrypted(given: Uint8Array): boolean {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
  if (bytes.length < START_BYTES) return false
  const at = START_BYTES + Number(bytes.readBigUInt64LE(OFFSET_AT))
  const list = bytes.subarray(at, at + Number(bytes.readBigUInt64LE(LENGTH_AT)))
  if (list.length === 0) return false
  const plain = list[0] === PLAIN_LIST ? list : unpackList(bytes, list)
  return plain?.[0] !== PLAIN_LIST || plain.includes(AES)
}

/** Decompresses a list of files. Returns undefined for one that is not compressed by LZMA alone. */
function unpackList(bytes: Buffer, list: Buffer): Buffer | undefined {
  const reader = new Reader(list)
  if (!reader.skip([PACKED_LIST, PACK_INFO])) return undefined
  const packedAt = START_BYTES + reader.number()
  if (!reader.skip([0x01, SIZES])) return undefined
  const packed = bytes.subarray(packedAt, packedAt + reader.number())
  if (reader.skip([DIGESTS, 0x01])) reader.bytes(DIGEST_BYTES)
  if (!reader.skip([0x00, ...FOLDERS, ...LZMA_CODER])) return undefined
  const properties = reader.bytes(PROPERTY_BYTES)
  if (!reader.skip([UNPACKED_SIZES])) return undefined
  const sizeBytes = reader.number()
  return sizeBytes <= MAX_LIST_BYTES ? unpackLzma(packed, properties, sizeBytes) : undefined
}

class Reader {
  readonly #list: Buffer
  #at = 0

  constructor(list: Buffer) {
    this.#list = list
  }

  /** Goes past these bytes, if they come next. */
  skip(expected: readonly number[]): boolean {
    const isNext = expected.every((byte, place) => this.#list[this.#at + place] === byte)
    if (isNext) this.#at += expected.length
    return isNext
  }

  bytes(count: number): Buffer {
    this.#at += count
    return this.#list.subarray(this.#at - count, this.#at)
  }

  /**
   * Reads a number. Its first byte begins with as many ones as bytes follow. These are in the order of the
   * lowest first.
   */
  number(): number {
    const first = this.bytes(1)[0] ?? 0
    const more = Math.clz32(~(first << 24))
    const low = this.bytes(more).reduceRight((value, byte) => value * 256 + byte, 0)
    return low + (first & (2 ** Math.max(0, 7 - more) - 1)) * 256 ** more
  }
}
