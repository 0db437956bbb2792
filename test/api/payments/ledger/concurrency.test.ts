import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Posting, post, postAll } from '../../../../api/payments/ledger/post.ts'
import type { Db } from '../../../../api/platform/db/pool.ts'
import {
  balance,
  book,
  CHECK_VIOLATION,
  codeOf,
  deposit,
  drifted,
  INTEGRITY_VIOLATION,
  leg,
  payment,
  posting,
  refusal,
  startBooks,
} from '../../../kit/api/payments/ledger/postings.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'

describe('postings at once', () => {
  let books: Awaited<ReturnType<typeof startBooks>>
  let db: Db

  before(async () => {
    books = await startBooks()
    db = books.db
  })

  after(() => books?.stop())

  /** How many connections wait for a lock. */
  /** Posts in a transaction that stays open until it is ended. */
  const holdOpen = async (given: Posting) => {
    const [holds, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const held = db.transaction().execute(async (tx) => {
      await post(tx, given)
      holds.resolve()
      await ends.promise
    })
    await holds.promise
    return () => {
      ends.resolve()
      return held
    }
  }

  describe('many transfers in one statement', () => {
    test('touch what one statement touched before, from many connections, without a deadlock', async () => {
      const owners = Array.from({ length: 6 }, (_, index) => `ring:${index}`)
      for (const owner of owners) await deposit(db, owner, 1_000n)
      const owner = (index: number) => owners[index % owners.length] ?? ''
      const batch = (shift: number) =>
        Array.from({ length: 20 }, (_, index) =>
          payment(owner(index + shift), owner(index + 2 * shift + 1), 1n),
        ).filter(({ legs: [from, to] }) => from?.owner.id !== to?.owner.id)
      // Where an account is to be opened, the others are locked along with it.
      const opened = (shift: number) => [
        payment(owner(shift), 'ring:0:opened', 1n),
        payment(owner(shift + 1), `opened:${shift}`, 1n),
      ]
      const batches = Array.from({ length: 8 }, (_, index) => [
        ...batch(index % 2 === 0 ? index : 11 - index),
        ...opened(index),
      ])
      // They all wait for one account, with what each of them has locked before it, and then go on at once.
      const goOn = await holdOpen(payment(owner(2), 'blocker', 1n))
      // Each is tried once: after a deadlock a verb would be run again.
      const bookOnce = (given: Posting[]) => db.transaction().execute((tx) => postAll(tx, given))
      const answering = Promise.all(batches.map(bookOnce))
      await untilWaitingForLocks(db, batches.length)
      await goOn()
      await answering
      const balances = await Promise.all(owners.map((name) => balance(db, name)))
      expect(balances.reduce<bigint>((sum, found) => sum + (found ?? 0n), 0n)).to.equal(6_000n - 17n)
      expect(await drifted(db)).to.deep.equal([])
    })
  })

  describe('an account that is opened meanwhile', () => {
    // Tried once: after a deadlock a verb would be run again.
    const bookOnce = (given: Posting) => db.transaction().execute((tx) => post(tx, given))

    test('takes what both posted that opened it', async () => {
      const pay = () => posting([leg('payable', 'rush', 1n), leg('hot_wallet', 'rush', -2n), leg('loss', 'rush', 1n)])
      const end = await holdOpen(pay())
      const second = bookOnce(pay())
      await untilWaitingForLocks(db, 1)
      await end()
      await second
      expect([await balance(db, 'rush', 'payable'), await balance(db, 'rush', 'loss')]).to.deep.equal([2n, 2n])
      expect(await balance(db, 'rush', 'hot_wallet')).to.equal(-4n)
      expect(await drifted(db)).to.deep.equal([])
    })

    test('is waited for in the order of accounts, so that three who open each other’s do not deadlock', async () => {
      await deposit(db, 'third:b', 9n)
      await deposit(db, 'third:z', 9n)
      const endFirst = await holdOpen(payment('third:z', 'third:y', 1n))
      // Opens third:a, and waits for the first.
      const second = bookOnce(payment('third:z', 'third:a', 2n))
      await untilWaitingForLocks(db, 1)
      // Wait for third:a, and for one another.
      const others = [payment('third:b', 'third:a', 3n), payment('third:z', 'third:a', 1n)].map(bookOnce)
      await untilWaitingForLocks(db, 3)
      await endFirst()
      expect(await Promise.all([second, ...others])).to.deep.equal([true, true, true])
      const balances = await Promise.all(['a', 'b', 'y', 'z'].map((name) => balance(db, `third:${name}`)))
      expect(balances).to.deep.equal([6n, 6n, 1n, 5n])
      expect(await drifted(db)).to.deep.equal([])
    })

    test('under one key is posted once, and by another transfer not at all', async () => {
      await deposit(db, 'keyed', 9n)
      const given = payment('keyed', 'keyed:to', 2n)
      const end = await holdOpen(given)
      const same = bookOnce(given)
      const other = refusal(bookOnce({ ...payment('keyed', 'keyed:to', 3n), key: given.key }))
      await untilWaitingForLocks(db, 2)
      await end()
      expect(await same).to.equal(false)
      expect(await other).to.equal(INTEGRITY_VIOLATION)
      expect(await balance(db, 'keyed:to')).to.equal(2n)
    })
  })

  test('accounts that every trade touches are never locked, and add up all the same', async () => {
    const amounts = Array.from({ length: 40 }, (_, index) => BigInt(index + 1))
    await book(db, posting([leg('hot_wallet', 'shared', -1n), leg('loss', 'shared', 1n)]))
    await db.transaction().execute(async (tx) => {
      await post(tx, posting([leg('hot_wallet', 'shared', -1n), leg('loss', 'shared', 1n)]))
      // While this transaction stays open, the others must come through.
      await Promise.all(
        amounts.map((amount) =>
          book(db, posting([leg('hot_wallet', 'shared', -amount), leg('loss', 'shared', amount)])),
        ),
      )
    })
    const total = amounts.reduce((sum, amount) => sum + amount, 2n)
    expect(await balance(db, 'shared', 'loss')).to.equal(total)
    expect(await balance(db, 'shared', 'hot_wallet')).to.equal(-total)
  })

  test('any number of postings at once, in any order, neither deadlock nor lose a unit', async () => {
    const owners = ['a', 'b', 'c', 'd', 'e']
    const opening = 100n
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            from: fc.constantFrom(...owners),
            to: fc.array(fc.constantFrom(...owners), { minLength: 1, maxLength: 4 }),
            each: fc.bigInt({ min: 1n, max: 60n }),
          }),
          { minLength: 4, maxLength: 24 },
        ),
        async (moves) => {
          const name = (owner: string) => `${round}:${owner}`
          round++
          for (const owner of owners) await deposit(db, name(owner), opening)
          const outcomes = await Promise.all(
            moves.map(({ from, to, each }) =>
              book(
                db,
                posting([
                  leg('payable', name(from), -each * BigInt(to.length)),
                  ...to.filter((owner) => owner !== from).map((owner) => leg('payable', name(owner), each)),
                  // What comes back to the sender is left out of the sum, so that no leg moves nothing.
                  leg('loss', name('fees'), each * BigInt(to.filter((owner) => owner === from).length)),
                ]),
              ).then(() => 'posted', codeOf),
            ),
          )
          for (const outcome of outcomes) expect(outcome).to.be.oneOf(['posted', CHECK_VIOLATION])
          const balances = await Promise.all([...owners, 'fees'].map((owner) => balance(db, name(owner))))
          for (const found of balances) expect(found === undefined || found >= 0n).to.equal(true)
          const sum = balances.reduce<bigint>((total, found) => total + (found ?? 0n), 0n)
          expect(sum).to.equal(opening * BigInt(owners.length))
        },
      ),
      { numRuns: 15 },
    )
    expect(await drifted(db)).to.deep.equal([])
  })
})
