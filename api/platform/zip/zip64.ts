import { type Archive, damaged, readAll } from './archive.ts'

// APPNOTE.TXT 6.3, sections 4.3.14, 4.3.15 and 4.5.3: numbers that may need 64 bits. Programs that do not know beforehand
// how long an archive becomes write it so, however short it is.
const LOCATOR = { signature: 0x07064b50, bytes: 20 }
const END64 = { signature: 0x06064b50, bytes: 56 }
const EXTRA_ID = 1
const EXTRA_HEADER_BYTES = 4
const NUMBER_BYTES = 8

/** In place of a number that is given with 64 bits elsewhere. */
export const WIDE_16 = 0xffff
export const WIDE_32 = 0xffff_ffff

/** Where the directory of an archive is, how long, and how many entries it has. */
export interface DirectoryPlace {
  count: number
  at: number
  bytes: number
}

/** Reads where the directory is, of an archive whose ordinary end, at this byte, does not say it. */
export async function readWideEnd(archive: Archive, endAt: number): Promise<DirectoryPlace> {
  const locator = await readAll(archive, endAt - LOCATOR.bytes, LOCATOR.bytes)
  if (locator.readUInt32LE(0) !== LOCATOR.signature) throw damaged()
  const end = await readAll(archive, wideAt(locator, 8), END64.bytes)
  if (end.readUInt32LE(0) !== END64.signature) throw damaged()
  return { count: wideAt(end, 32), bytes: wideAt(end, 40), at: wideAt(end, 48) }
}

/** Returns the numbers of an entry, those that its extra fields give in their place among them. */
export function widened(numbers: readonly number[], extra: Buffer): number[] {
  const wide = wideField(extra)
  let next = 0
  return numbers.map((number) => {
    if (number !== WIDE_32) return number
    next += NUMBER_BYTES
    return wideAt(wide, next - NUMBER_BYTES)
  })
}

function wideField(extra: Buffer): Buffer {
  for (let at = 0; at + EXTRA_HEADER_BYTES <= extra.length; ) {
    const end = at + EXTRA_HEADER_BYTES + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === EXTRA_ID) return extra.subarray(at + EXTRA_HEADER_BYTES, end)
    at = end
  }
  return extra.subarray(extra.length)
}

function wideAt(bytes: Buffer, at: number): number {
  if (at + NUMBER_BYTES > bytes.length) throw damaged()
  const number = bytes.readBigUInt64LE(at)
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged()
  return Number(number)
}
