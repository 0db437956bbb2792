import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'

const MAC_BYTES = 16

/** What a cursor is bound to: the list, the account that reads it, and its filter. */
export type CursorBinding = readonly string[]

/** Returns at most `limit` rows after a position, in the order of their list. */
export type FetchRows<Row> = (page: { from: string | undefined; limit: number }) => Promise<Row[]>

/**
 * Returns one page of a list and the cursor to the next page, which is null on the last page, even a full one. It
 * fetches one row more than the page holds to know. Throws request/invalid for a cursor that was not issued for exactly
 * this list, account and filter.
 */
export async function readPage<Row extends { id: string }>(
  settings: Settings,
  bound: CursorBinding,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  fetch: FetchRows<Row>,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  const found = await fetch({ from: readCursor(settings, bound, cursor), limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next_cursor: last && found.length > limit ? writeCursor(settings, bound, last.id) : null }
}

/** Returns the id of the last row of the previous page, or undefined at the start. */
export function readCursor(settings: Settings, bound: CursorBinding, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  const mac = bytes.subarray(0, MAC_BYTES)
  const position = bytes.subarray(MAC_BYTES).toString()
  const expected = macOf(settings, bound, position)
  if (mac.length === MAC_BYTES && timingSafeEqual(mac, expected)) return position
  throw new Problem('request/invalid', {
    detail: 'cursor: must be the next_cursor of a page of this very list, with the same filter.',
    field: 'cursor',
  })
}

/** Returns the cursor to the rows after a position. */
export function writeCursor(settings: Settings, bound: CursorBinding, position: string): string {
  return Buffer.concat([macOf(settings, bound, position), Buffer.from(position)]).toString('base64url')
}

function macOf(settings: Settings, bound: CursorBinding, position: string): Buffer {
  return createHmac('sha256', Buffer.from(settings.secretKey, 'hex'))
    .update(JSON.stringify(['cursor', ...bound, position]))
    .digest()
    .subarray(0, MAC_BYTES)
}
