import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { httpProblems } from '../serve/problems.ts'

const MAC_BYTES = 16

type Secret = Pick<Settings, 'secretKey'>

/** The query of a list: the start and the length of the page, and the filter. */
export interface ListQuery {
  cursor?: string | undefined
  limit: number
}

/** Returns at most `limit` rows after a position, in the order of their list. */
export type FetchRows<Row> = (page: { from: string | undefined; limit: number }) => Promise<Row[]>

/** The part of a list that a request asks for. Its cursors are valid only for the same list. */
export class RequestedList {
  readonly #settings: Secret
  readonly #query: ListQuery
  readonly #bound: readonly unknown[]

  /**
   * `bound` distinguishes the list from others, besides its filter: the operation, the caller, and the
   * parameters.
   */
  constructor(settings: Secret, query: ListQuery, bound: readonly unknown[]) {
    this.#settings = settings
    this.#query = query
    this.#bound = bound
  }

  /**
   * Returns the same list with cursors that are valid only for one state of it, or for one form of positions.
   */
  within(state: string): RequestedList {
    return new RequestedList(this.#settings, this.#query, [...this.#bound, state])
  }

  /**
   * Returns part of the list, and the cursor to the next part, which is null on the last part, even if that
   * is full. To find out, it fetches one row more than the part holds. Throws request/invalid for a cursor
   * that was not issued for exactly this list, account and filter.
   */
  async read<Row extends { id: string }>(fetch: FetchRows<Row>): Promise<{ items: Row[]; next_cursor: string | null }>
  /** As above, with each row converted by `toItem`. */
  async read<Row extends { id: string }, Item>(
    fetch: FetchRows<Row>,
    toItem: (row: Row) => Item,
  ): Promise<{ items: Item[]; next_cursor: string | null }>
  async read<Row extends { id: string }, Item>(fetch: FetchRows<Row>, toItem?: (row: Row) => Item) {
    const { limit } = this.#query
    const found = await fetch({ from: this.position(), limit: limit + 1 })
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const next_cursor = last && found.length > limit ? this.cursorTo(last.id) : null
    return { items: toItem ? rows.map((row) => toItem(row)) : rows, next_cursor }
  }

  /** Returns the position that the request's cursor names, or undefined at the start. Throws as `read`. */
  position(): string | undefined {
    const { cursor } = this.#query
    if (cursor === undefined) return undefined
    const bytes = Buffer.from(cursor, 'base64url')
    const mac = bytes.subarray(0, MAC_BYTES)
    const position = bytes.subarray(MAC_BYTES).toString()
    if (mac.length === MAC_BYTES && timingSafeEqual(mac, this.#macOf(position))) return position
    throw new Problem(httpProblems.invalid, {
      detail: 'cursor: must be the next_cursor of a page of this list, with the same filter.',
      field: 'cursor',
    })
  }

  /** Returns the cursor to the rows after a position. */
  cursorTo(position: string): string {
    return Buffer.concat([this.#macOf(position), Buffer.from(position)]).toString('base64url')
  }

  #macOf(position: string): Buffer {
    const { cursor: _cursor, limit: _limit, ...filter } = this.#query
    return createHmac('sha256', Buffer.from(this.#settings.secretKey, 'hex'))
      .update(JSON.stringify(['cursor', this.#bound, filter, position], plain))
      .digest()
      .subarray(0, MAC_BYTES)
  }
}

// JSON cannot represent a bigint, which a query may be parsed to.
function plain(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
