import { randomInt } from 'node:crypto'

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'
const LENGTH = 10

/** Returns a new short id: ten random characters of 0-9 and a-z. */
export function newShortId(): string {
  return Array.from({ length: LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('')
}

/** Returns the column that a reference names, and its value: a short id, or a UUID in lower case. */
export function refColumn(ref: string): { column: 'id' | 'short_id'; value: string } {
  return { column: ref.length === LENGTH ? 'short_id' : 'id', value: ref }
}
