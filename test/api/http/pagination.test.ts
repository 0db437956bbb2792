import { describe, it } from 'node:test'
import { expect } from 'chai'
import type { Settings } from '../../../api/context.ts'
import { Problem } from '../../../api/errors.ts'
import { readCursor, writeCursor } from '../../../api/http/pagination.ts'

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
