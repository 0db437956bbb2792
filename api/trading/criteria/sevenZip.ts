const SIGNATURE = '7z\xbc\xaf\x27\x1c'
// The header at the start of an archive (7zFormat.txt) has the place of the list of files, counted from the
// end of this header, and the length of the list.
const [START_BYTES, OFFSET_AT, LENGTH_AT] = [32, 12, 20]
const PLAIN_LIST = 0x01
// The id of the encryption of 7-Zip, which the list names for the files.
const AES = Buffer.from([0x06, 0xf1, 0x07, 0x01])

/** Returns whether a file with this beginning is a 7z archive. */
export function isSevenZip(head: string): boolean {
  return head.startsWith(SIGNATURE)
}

/**
 * Returns whether a 7z archive may be encrypted. A list of files that is packed, as programs write that of
 * several files, is not unpacked here, so what it says is not known.
 */
export function isSevenZipEncrypted(given: Uint8Array): boolean {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
  if (bytes.length < START_BYTES) return false
  const at = START_BYTES + Number(bytes.readBigUInt64LE(OFFSET_AT))
  const list = bytes.subarray(at, at + Number(bytes.readBigUInt64LE(LENGTH_AT)))
  return list.length > 0 && (list[0] !== PLAIN_LIST || list.includes(AES))
}
