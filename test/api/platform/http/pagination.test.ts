import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Settings } from '../../../../api/context.ts'
import { Problem } from '../../../../api/errors.ts'
import { type ListQuery, RequestedList } from '../../../../api/platform/http/route/pagination.ts'

const settings = { secretKey: 'ab'.repeat(32) } as Settings
const bound = ['listOrders', 'account-1', { urn: 'a' }]
const filter = { role: 'seller' }

/** The page of one row behind a cursor, of a list of three; and the cursor behind that page. */
const read = (given: Settings, binding: readonly unknown[], cursor?: string, wanted: object = filter) =>
  new RequestedList(given, { ...wanted, cursor, limit: 1 } as ListQuery, binding).read(async ({ from = '', limit }) =>
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
  it('leads on from the last row of a page [spec 8:9]', async () => {
    const next = await read(settings, bound, await firstCursor(settings))
    expect(next.items).to.deep.equal([{ id: 'b' }])
  })

  it('is good for its own list, account and filter alone', async () => {
    const cursor = await firstCursor(settings)
    const others: [readonly unknown[], object][] = [
      [['listOrders', 'account-2', { urn: 'a' }], filter],
      [['listOrders', null, { urn: 'a' }], filter],
      [['listAsks', 'account-1', { urn: 'a' }], filter],
      [['listOrders', 'account-1', { urn: 'b' }], filter],
      [bound, { role: 'buyer' }],
      [bound, { state: 'seller' }],
      [bound, {}],
      [bound, { ...filter, state: 'paid' }],
    ]
    for (const [binding, wanted] of others) {
      const other = JSON.stringify([binding, wanted])
      expect(await refusal(read(settings, binding, cursor, wanted)), other).to.be.instanceOf(Problem)
    }
    expect((await read(settings, bound, cursor, filter)).items).to.have.length(1)
  })

  it('is good for one state of its list alone', async () => {
    const list = (cursor?: string) => new RequestedList(settings, { cursor, limit: 1 }, bound)
    const cursor = list().within('block 1').cursorTo('a')
    expect(list(cursor).within('block 1').position()).to.equal('a')
    expect(() => list(cursor).within('block 2').position()).to.throw(Problem)
    expect(() => list(cursor).position()).to.throw(Problem)
  })

  it('cannot be made up or changed [spec 8:11]', async () => {
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

  it('is read whole, each row once, however long its pages are, and ends without an empty page [spec 8:10]', async () => {
    const property = fc.asyncProperty(ids, fc.integer({ min: 1, max: 8 }), async (list, limit) => {
      const seen: string[] = []
      let pages = 0
      let cursor: string | undefined
      do {
        const page = await new RequestedList(settings, { cursor, limit }, bound).read(newestFirst(list))
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.next_cursor ?? undefined
        pages++
      } while (cursor)
      expect(seen).to.deep.equal([...list].sort().reverse())
      expect(pages).to.equal(Math.max(1, Math.ceil(list.length / limit)))
    })
    await fc.assert(property)
  })
})
