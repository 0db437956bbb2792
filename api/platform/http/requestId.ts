import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const BYTES_AN_ID = 16
const IDS_A_DRAW = 256
const drawn = Buffer.alloc(BYTES_AN_ID * IDS_A_DRAW)
let at = drawn.length

/**
 * Returns a new UUID (version 7) for a request. Random bytes are drawn for many ids at once, because the call is the
 * expensive part.
 */
export function newRequestId(): string {
  if (at === drawn.length) {
    randomFillSync(drawn)
    at = 0
  }
  at += BYTES_AN_ID
  return uuidv7({ random: drawn.subarray(at - BYTES_AN_ID, at) })
}
