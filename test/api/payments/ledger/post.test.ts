import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Posting } from '../../../../api/payments/ledger/post.ts'
import type { Db } from '../../../../api/platform/db/pool.ts'
import {
  balance,
  book,
  bookAll,
  CHECK_VIOLATION,
  deposit,
  drifted,
  INTEGRITY_VIOLATION,
  leg,
  ownerId,
  payment,
  posting,
  refusal,
  startBooks,
} from '../../../kit/api/payments/ledger/postings.ts'

/** The same key for all of them. */
const alike = (given: Posting) => ({ ...given, key: 'test:alike' })

describe('ledger.post_transfers', () => {
  let books: Awaited<ReturnType<typeof startBooks>>
  let db: Db

  before(async () => {
    books = await startBooks()
    db = books.db
  })

  after(() => books?.stop())

  test('moves money from one account to another, and the books say both', async () => {
    await deposit(db, 'ada', 20n)
    expect(await book(db, payment('ada', 'bob', 5n))).to.equal(true)
    expect(await balance(db, 'ada')).to.equal(15n)
    expect(await balance(db, 'bob')).to.equal(5n)
  })

  test('happens once under one key, even when asked for at once', async () => {
    const given = posting([leg('hot_wallet', 'wallet', -7n), leg('payable', 'once', 7n)])
    const answers = await Promise.all(Array.from({ length: 8 }, () => book(db, given)))
    expect(answers.filter(Boolean)).to.have.length(1)
    expect(await balance(db, 'once')).to.equal(7n)
  })

  test('lets nobody go below zero, and then nothing has changed', async () => {
    await deposit(db, 'poor', 3n)
    const given = payment('poor', 'rich', 4n)
    expect(await refusal(book(db, given))).to.equal(CHECK_VIOLATION)
    expect(await balance(db, 'poor')).to.equal(3n)
    expect(await balance(db, 'rich')).to.equal(undefined)
    expect(await book(db, { ...given, legs: [leg('payable', 'poor', -3n), leg('payable', 'rich', 3n)] })).to.equal(true)
  })

  test('refuses what does not balance, has one side, or has none', async () => {
    await deposit(db, 'eve', 10n)
    expect(await refusal(book(db, posting([leg('payable', 'eve', -5n), leg('payable', 'mal', 6n)])))).to.equal(
      INTEGRITY_VIOLATION,
    )
    expect(await refusal(book(db, posting([leg('hot_wallet', 'wallet', -5n)])))).to.equal(INTEGRITY_VIOLATION)
    expect(await refusal(book(db, posting([leg('payable', 'eve', 0n), leg('payable', 'mal', 0n)])))).to.equal(
      INTEGRITY_VIOLATION,
    )
    expect(await balance(db, 'eve')).to.equal(10n)
  })

  test('refuses another transfer under a key that one was posted under, and nothing has changed', async () => {
    await deposit(db, 'again', 9n)
    const given = payment('again', 'again:to', 5n)
    expect(await book(db, given)).to.equal(true)
    const others = [
      [leg('payable', 'again', -4n), leg('payable', 'again:to', 4n)],
      [leg('payable', 'again', -5n), leg('payable', 'third', 5n)],
      [leg('payable', 'again', -5n), leg('payable', 'again:to', 4n), leg('fees', 'service', 1n)],
      [leg('payable', 'again:to', -5n), leg('payable', 'again', 5n)],
    ]
    for (const legs of others) {
      expect(await refusal(book(db, { ...given, legs }))).to.equal(INTEGRITY_VIOLATION)
      expect(await refusal(bookAll(db, [payment('again', 'again:to', 1n), { ...given, legs }]))).to.equal(
        INTEGRITY_VIOLATION,
      )
    }
    expect(await refusal(book(db, { ...given, asset: 'eip155:1/0x0' }))).to.equal(INTEGRITY_VIOLATION)
    expect(
      await refusal(bookAll(db, [payment('again', 'again:to', 1n), payment('again', 'again:to', 2n)].map(alike))),
    ).to.equal(INTEGRITY_VIOLATION)
    expect(await book(db, { ...given, legs: given.legs.toReversed() })).to.equal(false)
    expect([await balance(db, 'again'), await balance(db, 'again:to')]).to.deep.equal([4n, 5n])
  })

  test('makes one entry of the legs on one account, whatever order they are in', async () => {
    await deposit(db, 'order:a', 9n)
    await deposit(db, 'order:b', 9n)
    await book(db, posting([leg('payable', 'order:b', -1n), leg('payable', 'order:a', 1n)]))
    await book(
      db,
      posting([leg('payable', 'order:b', -3n), leg('payable', 'order:a', 7n), leg('payable', 'order:b', -4n)]),
    )
    expect([await balance(db, 'order:a'), await balance(db, 'order:b')]).to.deep.equal([17n, 1n])
  })

  test('opens what accounts it must, whatever they are, along with those that there are', async () => {
    await deposit(db, 'there', 9n)
    const legs = [leg('payable', 'there', -2n), leg('payable', 'new', 1n), leg('loss', 'new:too', 1n)]
    expect(await book(db, posting(legs))).to.equal(true)
    expect(await book(db, posting([leg('hot_wallet', 'other', -3n), leg('hold', 'first', 3n)]))).to.equal(true)
    // Below zero is only what is held.
    expect(await refusal(book(db, posting([leg('hold', 'nothing', -3n), leg('payable', 'there', 3n)])))).to.equal(
      CHECK_VIOLATION,
    )
    expect(await balance(db, 'there')).to.equal(7n)
    expect([await balance(db, 'new'), await balance(db, 'new:too')]).to.deep.equal([1n, 1n])
    expect([await balance(db, 'other'), await balance(db, 'first')]).to.deep.equal([-3n, 3n])
    expect(await drifted(db)).to.deep.equal([])
  })

  describe('many transfers in one statement', () => {
    test('are as if posted one after the other, and each says whether it was', async () => {
      await deposit(db, 'many', 10n)
      const first = payment('many', 'next', 10n)
      const second = posting([leg('payable', 'next', -4n), leg('payable', 'last', 3n), leg('fees', 'service', 1n)])
      expect(await bookAll(db, [first, second, first])).to.deep.equal([true, true, false])
      expect(await bookAll(db, [second])).to.deep.equal([false])
      expect([await balance(db, 'many'), await balance(db, 'next'), await balance(db, 'last')]).to.deep.equal([
        0n,
        6n,
        3n,
      ])
      const { rows } = await sql`select entry.amount, entry.balance_after as after from ledger.entries entry
        join ledger.accounts account on account.id = entry.account_id where account.owner_id = ${ownerId('human', 'next')}
        order by entry.id`.execute(db)
      expect(rows).to.deep.equal([
        { amount: 10n, after: 10n },
        { amount: -4n, after: 6n },
      ])
    })

    test('are refused as a whole where one of them overdraws, were it only until the next', async () => {
      await deposit(db, 'brief', 5n)
      const borrow = payment('brief', 'lender', 6n)
      const repay = payment('lender', 'brief', 6n)
      expect(await refusal(bookAll(db, [borrow, repay]))).to.equal(CHECK_VIOLATION)
      expect(await balance(db, 'brief')).to.equal(5n)
      expect(await bookAll(db, [])).to.deep.equal([])
    })

    test('are refused as a whole where one of them does not balance or has no legs', async () => {
      await deposit(db, 'whole:from', 5n)
      const good = payment('whole:from', 'whole:to', 1n)
      const bad = posting([leg('payable', 'whole:from', -1n), leg('payable', 'whole:to', 2n)])
      for (const wrong of [bad, posting([])]) {
        expect(await refusal(bookAll(db, [good, wrong]))).to.equal(INTEGRITY_VIOLATION)
      }
      expect([await balance(db, 'whole:from'), await balance(db, 'whole:to')]).to.deep.equal([5n, undefined])
    })
  })
})
