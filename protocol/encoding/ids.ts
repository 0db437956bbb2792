import { v7 } from 'uuid'

// The first twelve random bits after the time and the counter: the order of ids is the same, and their ends
// stay random.
const CELL_START = 26
const CELL_END = 29

/** The market that made an id, for when there are several; three hex digits. There is one so far. */
const CELL = '000'

/** The time of an id in milliseconds, by default now, and 16 random bytes, by default new ones. */
export interface IdOptions {
  msecs?: number
  random?: Uint8Array
}

/**
 * Returns a new id: a UUID of version 7, greater than every earlier one of this process. Twelve of its bits
 * are the cell. The id is opaque to readers: ids of any cell, and ids that were made in another way, are
 * equally valid. SQL makes ids with market.new_id().
 */
export function newId(options?: IdOptions): string {
  return inCell(v7(options))
}

/**
 * Returns a new id that nobody can guess, in no order: a UUID of version 4, with 110 random bits beside the
 * cell.
 */
export function newSecretId(): string {
  return inCell(crypto.randomUUID())
}

function inCell(id: string): string {
  return `${id.slice(0, CELL_START)}${CELL}${id.slice(CELL_END)}`
}

/** Returns the cell in an id, three hex digits. */
export function cellOf(id: string): string {
  return id.slice(CELL_START, CELL_END)
}
