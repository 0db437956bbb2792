import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Settings } from '../../../../api/context.ts'
import { Problem } from '../../../../api/errors.ts'
import { readPage } from '../../../../api/platform/http/route/pagination.ts'

const settings = { secretKey: 'ab'.repeat(32) } as Settings
const bound = ['orders', 'account-1', 'seller', '']

/** The page of one row behind a cursor, of a list of three; and the cursor behind that page. */
const read = (given: Settings, binding: readonly string[], cursor?: string) =>
  readPage(given, binding, { cursor, limit: 1 }, async ({ from = '', limit }) =>
    ['a', 'b', 'c']
      .filter((id) => id > from)
      .slice(0, limit)
      .map((id) => ({ id })),
  )
const firstCursor = async (given: Settings) => (await read(given, bound)).next_cursor ?? ''
const refusal = (page: Promise<unknown>) =>
  page.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a cursor', () => {
  it('leads on from the last row of a page', async () => {
    const next = await read(settings, bound, await firstCursor(settings))
    expect(next.rows).to.deep.equal([{ id: 'b' }])
  })

  it('is good for its own list, account and filter alone', async () => {
    const cursor = await firstCursor(settings)
    for (const other of [
      ['orders', 'account-2', 'seller', ''],
      ['orders', 'account-1', '', 'seller'],
      ['asks', 'account-1', 'seller', ''],
      ['orders', 'account-1', 'seller'],
    ]) {
      expect(await refusal(read(settings, other, cursor)), other.join()).to.be.instanceOf(Problem)
    }
  })

  it('cannot be made up or changed', async () => {
    const cursor = await firstCursor(settings)
    const forged = await firstCursor({ secretKey: 'cd'.repeat(32) } as Settings)
    const bytes = Buffer.from(cursor, 'base64url')
    const changed = Buffer.concat([bytes.subarray(0, -1), Buffer.from('c')]).toString('base64url')
    for (const text of ['', 'x', forged, changed, cursor.slice(0, 8), '%%%']) {
      expect(await refusal(read(settings, bound, text)), text).to.be.instanceOf(Problem)
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
