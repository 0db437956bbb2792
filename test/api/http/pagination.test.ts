import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Settings } from '../../../api/context.ts'
import { Problem } from '../../../api/errors.ts'
import { readCursor, readPage, writeCursor } from '../../../api/http/pagination.ts'

const settings = { secretKey: 'ab'.repeat(32) } as Settings
const bound = ['orders', 'account-1', 'seller', '']
const rows = [{ id: 'a' }, { id: 'b' }]
const cursor = writeCursor(settings, bound, rows, 2) ?? ''

describe('a cursor', () => {
  it('leads on from the last row of a full page', () => {
    expect(readCursor(settings, bound, cursor)).to.equal('b')
  })

  it('is not given out behind the last page', () => {
    expect(writeCursor(settings, bound, rows, 3)).to.equal(null)
    expect(writeCursor(settings, bound, [], 3)).to.equal(null)
  })

  it('is good for its own list, account and filter alone', () => {
    for (const other of [
      ['orders', 'account-2', 'seller', ''],
      ['orders', 'account-1', '', 'seller'],
      ['asks', 'account-1', 'seller', ''],
      ['orders', 'account-1', 'seller'],
    ]) {
      expect(() => readCursor(settings, other, cursor), other.join()).to.throw(Problem)
    }
  })

  it('cannot be made up or changed', () => {
    const elsewhere = { secretKey: 'cd'.repeat(32) } as Settings
    const forged = writeCursor(elsewhere, bound, rows, 2) ?? ''
    const bytes = Buffer.from(cursor, 'base64url')
    const changed = Buffer.concat([bytes.subarray(0, -1), Buffer.from('c')]).toString('base64url')
    for (const text of ['', 'x', forged, changed, cursor.slice(0, 8), '%%%']) {
      expect(() => readCursor(settings, bound, text), text).to.throw(Problem)
    }
  })
})

describe('a list', () => {
  const newestFirst = (list: readonly string[]) => async (page: { from: string | undefined; limit: number }) =>
    list
      .filter((id) => page.from === undefined || id < page.from)
      .sort((left, right) => (left < right ? 1 : -1))
      .slice(0, page.limit)
      .map((id) => ({ id }))
  const ids = fc.uniqueArray(fc.uuid(), { maxLength: 25 })

  it('is read whole, each row once, however long its pages are, and ends without an empty page', async () => {
    const property = fc.asyncProperty(ids, fc.integer({ min: 1, max: 8 }), async (list, limit) => {
      const seen: string[] = []
      let pages = 0
      let cursor: string | undefined
      do {
        const page = await readPage(settings, bound, { cursor, limit }, newestFirst(list))
        seen.push(...page.rows.map(({ id }) => id))
        cursor = page.next_cursor ?? undefined
        pages++
      } while (cursor)
      expect(seen).to.deep.equal([...list].sort().reverse())
      expect(pages).to.equal(Math.max(1, Math.ceil(list.length / limit)))
    })
    await fc.assert(property)
  })
})
