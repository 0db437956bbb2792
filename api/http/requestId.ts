import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const BYTES_AN_ID = 16
const IDS_A_DRAW = 256
const drawn = Buffer.alloc(BYTES_AN_ID * IDS_A_DRAW)
let at = drawn.length

/** A new UUID (version 7) for a request. Its randomness is drawn for many at once: to ask for it is what an id costs. */
export function newRequestId(): string {
  if (at === drawn.length) {
    randomFillSync(drawn)
    at = 0
  }
  at += BYTES_AN_ID
  return uuidv7({ random: drawn.subarray(at - BYTES_AN_ID, at) })
}
