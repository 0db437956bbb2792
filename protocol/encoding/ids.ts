import { v7 } from 'uuid'

// The first twelve random bits behind the time and the counter: ids sort as before, and end as differently.
const CELL_START = 26
const CELL_END = 29

/** The market that an id was made by, where there are several; three hex digits. There is one so far. */
const CELL = '000'

/** The time of an id in milliseconds, by default now; 16 random bytes, where somebody has drawn them. */
export interface IdOptions {
  msecs?: number
  random?: Uint8Array
}

/**
 * Returns a new id: a UUID of version 7, greater than every earlier one of this process, of which twelve bits are the cell. To
 * whoever reads it the id is opaque: ids of any cell, and those that were made otherwise, are equally good. SQL makes its own by
 * market.new_id().
 */
export function newId(options?: IdOptions): string {
  const id = v7(options)
  return `${id.slice(0, CELL_START)}${CELL}${id.slice(CELL_END)}`
}

/** Returns the cell in an id, three hex digits. */
export function cellOf(id: string): string {
  return id.slice(CELL_START, CELL_END)
}
