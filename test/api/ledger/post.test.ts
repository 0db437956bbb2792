import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { gather } from '../../../api/db/gather.ts'
import { type Db, openPool } from '../../../api/db/pool.ts'
import { inTransaction } from '../../../api/db/transaction.ts'
import { balancesOf } from '../../../api/ledger/balances.ts'
import { type AccountKind, type Leg, type Posting, post } from '../../../api/ledger/post.ts'
import { startDatabase, type TestDatabase } from '../../stack/database.ts'

const ASSET = 'eip155:31337/0x5fbdb2315678afecb367f032d93f642f64180aa3'
const CHECK_VIOLATION = '23514'
const INTEGRITY_VIOLATION = '23000'
const NOT_NULL_VIOLATION = '23502'
const SERIALIZATION_FAILURE = '40001'

describe('ledger.post', () => {
  let database: TestDatabase
  let db: Db
  let postings = 0

  before(async () => {
    database = await startDatabase()
    db = openPool(database.url, { max: 10, onError: () => {} })
  })

  after(async () => {
    await db.destroy()
    await database.stop()
  })

  const leg = (kind: AccountKind, owner: string, amountMicros: bigint): Leg => ({ kind, owner, amountMicros })
  const posting = (legs: Leg[], key = `test:${postings++}`): Posting => {
    return { key, kind: 'test', orderId: null, asset: ASSET, evidence: {}, legs }
  }
  /** Posts all in one transaction, as settle does. Answers for each whether it was posted: false where its key was before. */
  const bookAll = (given: Posting[]) =>
    inTransaction(db, 'read write', async (tx) => {
      await gather(tx, async () => {
        for (const each of given) await post(tx, each)
      })
      const { rows } = await sql<{ key: string }>`
        select key from ledger.transfers where transaction_id = pg_current_xact_id()`.execute(tx)
      const posted = new Set(rows.map(({ key }) => key))
      return given.map(({ key }) => posted.delete(key))
    })
  const book = async (given: Posting) => (await bookAll([given]))[0]
  const codeOf = (error: unknown) => (error as { code?: string }).code
  const refusal = (given: Promise<unknown>) => given.then(() => undefined, codeOf)
  const balance = async (owner: string, kind?: AccountKind) => {
    const balances = await db.transaction().execute((tx) => balancesOf(tx, owner))
    return balances.find((found) => !kind || found.kind === kind)?.balanceMicros
  }
  const deposit = (owner: string, amountMicros: bigint) =>
    book(posting([leg('hot_wallet', 'wallet', -amountMicros), leg('payable', owner, amountMicros)]))

  test('moves money from one account to another, and the books say both', async () => {
    await deposit('ada', 20n)
    expect(await book(posting([leg('payable', 'ada', -5n), leg('payable', 'bob', 5n)]))).to.equal(true)
    expect(await balance('ada')).to.equal(15n)
    expect(await balance('bob')).to.equal(5n)
  })

  test('happens once under one key, even when asked for at once', async () => {
    const given = posting([leg('hot_wallet', 'wallet', -7n), leg('payable', 'once', 7n)])
    const answers = await Promise.all(Array.from({ length: 8 }, () => book(given)))
    expect(answers.filter(Boolean)).to.have.length(1)
    expect(await balance('once')).to.equal(7n)
  })

  test('lets nobody go below zero, and then nothing has changed', async () => {
    await deposit('poor', 3n)
    const given = posting([leg('payable', 'poor', -4n), leg('payable', 'rich', 4n)])
    expect(await refusal(book(given))).to.equal(CHECK_VIOLATION)
    expect(await balance('poor')).to.equal(3n)
    expect(await balance('rich')).to.equal(undefined)
    expect(await book({ ...given, legs: [leg('payable', 'poor', -3n), leg('payable', 'rich', 3n)] })).to.equal(true)
  })

  test('refuses what does not balance, has one side, or has none', async () => {
    await deposit('eve', 10n)
    expect(await refusal(book(posting([leg('payable', 'eve', -5n), leg('payable', 'mal', 6n)])))).to.equal(
      INTEGRITY_VIOLATION,
    )
    expect(await refusal(book(posting([leg('hot_wallet', 'wallet', -5n)])))).to.equal(INTEGRITY_VIOLATION)
    expect(await refusal(book(posting([leg('payable', 'eve', 0n), leg('payable', 'mal', 0n)])))).to.equal(
      INTEGRITY_VIOLATION,
    )
    expect(await balance('eve')).to.equal(10n)
  })

  test('what is written stays: no entry is changed, removed or added to a transfer', async () => {
    await deposit('stone', 10n)
    for (const statement of [
      sql`update ledger.entries set amount = amount + 1`,
      sql`delete from ledger.entries`,
      sql`truncate ledger.entries`,
      sql`update ledger.transfers set kind = 'other'`,
      sql`truncate ledger.transfers cascade`,
      sql`insert into ledger.entries (transfer_id, account_id, amount)
        select transfer_id, account.id, amount from ledger.entries
        cross join (select min(id) as id from ledger.accounts where owner = 'ada') account
        where transfer_id = (select max(transfer_id) from ledger.entries) and amount > 0`,
      sql`delete from ledger.accounts`,
      sql`truncate ledger.accounts cascade`,
      sql`update ledger.accounts set kind = 'payable'`,
      sql`update ledger.accounts set is_append_only = true`,
      sql`update ledger.kinds set is_append_only = true`,
      sql`delete from ledger.kinds`,
    ]) {
      expect(await refusal(statement.execute(db))).to.be.oneOf(['23001', INTEGRITY_VIOLATION])
    }
  })

  test('an entry is of a transfer and an account that exist', async () => {
    const [nobody, none] = [2n ** 62n, 2n ** 62n]
    const written = sql`insert into ledger.transfers (key, kind, evidence) values (${`test:${postings++}`}, 'test', '{}')
      returning id`
    const entry = sql`with transfer as (${written}) insert into ledger.entries (transfer_id, account_id, amount)
      select id, ${nobody}, 1 from transfer`
    expect(await refusal(entry.execute(db))).to.equal(INTEGRITY_VIOLATION)
    const orphan = sql`insert into ledger.entries (transfer_id, account_id, amount)
      select ${none}, min(id), 1 from ledger.accounts`
    expect(await refusal(orphan.execute(db))).to.equal(INTEGRITY_VIOLATION)
  })

  test('nothing comes into the books but as a whole transfer', async () => {
    await deposit('whole', 5n)
    const transfer = sql`insert into ledger.transfers (key, kind, evidence) values (${`test:${postings++}`}, 'test', '{}')`
    const entry = sql`insert into ledger.entries (transfer_id, account_id, amount)
      select max(transfer_id) + 1, max(account_id), 1 from ledger.entries`
    const copied = sql`with given as (select * from ledger.entries limit 1) merge into ledger.entries entry using given
      on false when not matched then insert (transfer_id, account_id, amount) values (given.transfer_id, 1, 1)`
    for (const statement of [transfer, entry, copied]) {
      expect(await refusal(statement.execute(db))).to.equal(INTEGRITY_VIOLATION)
    }
  })

  test('its legs are locked in one order: another is refused, and what is on one account is one leg', async () => {
    await deposit('order:a', 9n)
    await deposit('order:b', 9n)
    const row = (owners: string[]) => sql`insert into ledger.posting
      (key, kind, evidence, asset, leg_kinds, owners, amounts) values
      (${`test:${postings++}`}, 'test', '{}', ${ASSET}, '{payable,payable}', ${owners}, '{1,-1}')`
    expect(await refusal(row(['order:b', 'order:a']).execute(db))).to.equal(INTEGRITY_VIOLATION)
    expect(await refusal(row(['order:a', 'order:a']).execute(db))).to.equal(INTEGRITY_VIOLATION)
    await row(['order:a', 'order:b']).execute(db)
    await book(posting([leg('payable', 'order:b', -3n), leg('payable', 'order:a', 7n), leg('payable', 'order:b', -4n)]))
    expect([await balance('order:a'), await balance('order:b')]).to.deep.equal([17n, 1n])
  })

  test('no entry moves nothing', async () => {
    await deposit('idle:a', 9n)
    const one = (owners: string[], amounts: bigint[]) => sql`insert into ledger.posting
      (key, kind, evidence, asset, leg_kinds, owners, amounts) values
      (${`test:${postings++}`}, 'test', '{}', ${ASSET}, ${owners.map(() => 'payable')}, ${owners}, ${amounts.map(String)})`
    const set = (owners: string[], amounts: bigint[]) => sql`insert into ledger.postings
      (keys, kinds, order_ids, evidence, assets, transfers, leg_kinds, owners, amounts) values
      (${[`test:${postings++}`]}, '{test}', '{null}', '{"{}"}', ${[ASSET]}, ${owners.map(() => 1)},
      ${owners.map(() => 'payable')}, ${owners}, ${amounts.map(String)})`
    for (const row of [one, set]) {
      expect(await refusal(row(['idle:a', 'idle:b'], [0n, 0n]).execute(db))).to.equal(CHECK_VIOLATION)
      expect(await refusal(row(['idle:a', 'idle:b', 'idle:c'], [-1n, 0n, 1n]).execute(db))).to.equal(CHECK_VIOLATION)
      await row(['idle:a', 'idle:b', 'idle:c'], [-2n, 1n, 1n]).execute(db)
      await row(['idle:a', 'idle:b'], [-1n, 1n]).execute(db)
    }
    // What is on one account of one transfer is one leg of it.
    expect(await refusal(set(['idle:a', 'idle:b', 'idle:b'], [0n, 1n, -1n]).execute(db))).to.equal(CHECK_VIOLATION)
    expect([await balance('idle:a'), await balance('idle:b'), await balance('idle:c')]).to.deep.equal([3n, 4n, 2n])
  })

  test('a leg without an amount or an owner is refused, and nothing of its transfer is done', async () => {
    await deposit('short:a', 9n)
    const row = (owners: string[], amounts: bigint[]) => sql`insert into ledger.posting
      (key, kind, evidence, asset, leg_kinds, owners, amounts) values
      ('test:short', 'test', '{}', ${ASSET}, ${owners.map(() => 'payable')}, ${owners}, ${amounts.map(String)})`
    expect(await refusal(row(['short:a', 'short:b', 'short:c'], [-1n, 1n]).execute(db))).to.equal(NOT_NULL_VIOLATION)
    expect(await refusal(row(['short:a'], [-1n, 1n]).execute(db))).to.equal(CHECK_VIOLATION)
    expect([await balance('short:a'), await balance('short:b')]).to.deep.equal([9n, undefined])
  })

  test('nobody who may write to all of its tables gets past what it refuses', async () => {
    await deposit('kept', 9n)
    const refused = async (statement: ReturnType<typeof sql>) => {
      const attempt = db.transaction().execute(async (tx) => {
        await sql`create role clerk`.execute(tx)
        await sql`grant usage on schema ledger, market to clerk`.execute(tx)
        await sql`grant all on all tables in schema ledger to clerk`.execute(tx)
        await sql`grant all on all sequences in schema ledger to clerk`.execute(tx)
        await sql`set local role clerk`.execute(tx)
        await statement.execute(tx)
      })
      return refusal(attempt)
    }
    const below = sql`update ledger.accounts set balance = -1 where owner = 'kept'`
    const opened = sql`insert into ledger.accounts (asset, kind, owner, balance) values (${ASSET}, 'payable', 'owing', -1)`
    for (const statement of [below, opened]) expect(await refused(statement)).to.equal(CHECK_VIOLATION)
    const transfer = sql`insert into ledger.transfers (key, kind, evidence) values ('test:clerk', 'test', '{}')`
    const entry = sql`insert into ledger.entries (transfer_id, account_id, amount)
      select transfer_id, account_id + 1, 5 from ledger.entries limit 1`
    for (const statement of [transfer, entry]) expect(await refused(statement)).to.equal(INTEGRITY_VIOLATION)
    expect(await refused(sql`update ledger.entries set amount = 1`)).to.equal('23001')
    expect(await balance('kept')).to.equal(9n)
  })

  test('opens what accounts it must, whatever they are, along with those that there are', async () => {
    await deposit('there', 9n)
    const legs = [leg('payable', 'there', -2n), leg('payable', 'new', 1n), leg('fees', 'new too', 1n)]
    expect(await book(posting(legs))).to.equal(true)
    expect(await book(posting([leg('hot_wallet', 'other', -3n), leg('hold', 'first', 3n)]))).to.equal(true)
    // Below zero is only what is held.
    expect(await refusal(book(posting([leg('hold', 'nothing', -3n), leg('payable', 'there', 3n)])))).to.equal(
      CHECK_VIOLATION,
    )
    expect(await balance('there')).to.equal(7n)
    expect([await balance('new'), await balance('new too')]).to.deep.equal([1n, 1n])
    expect([await balance('other'), await balance('first')]).to.deep.equal([-3n, 3n])
    expect(await drifted(db)).to.deep.equal([])
  })

  test('no account is of a kind that there is not', async () => {
    const opened = sql`insert into ledger.accounts (asset, kind, owner) values (${ASSET}, 'wish', 'ada')`
    expect(await refusal(opened.execute(db))).to.equal(CHECK_VIOLATION)
  })

  describe('many transfers in one statement', () => {
    test('are as if posted one after the other, and each says whether it was', async () => {
      await deposit('many', 10n)
      const first = posting([leg('payable', 'many', -10n), leg('payable', 'next', 10n)])
      const second = posting([leg('payable', 'next', -4n), leg('payable', 'last', 3n), leg('fees', 'service', 1n)])
      expect(await bookAll([first, second, first])).to.deep.equal([true, true, false])
      expect(await bookAll([second])).to.deep.equal([false])
      expect([await balance('many'), await balance('next'), await balance('last')]).to.deep.equal([0n, 6n, 3n])
      const { rows } = await sql`select entry.amount, entry.balance_after as after from ledger.entries entry
        join ledger.accounts account on account.id = entry.account_id where account.owner = 'next'
        order by entry.id`.execute(db)
      expect(rows).to.deep.equal([
        { amount: 10n, after: 10n },
        { amount: -4n, after: 6n },
      ])
    })

    test('are refused as a whole where one of them overdraws, were it only until the next', async () => {
      await deposit('brief', 5n)
      const borrow = posting([leg('payable', 'brief', -6n), leg('payable', 'lender', 6n)])
      const repay = posting([leg('payable', 'lender', -6n), leg('payable', 'brief', 6n)])
      expect(await refusal(bookAll([borrow, repay]))).to.equal(CHECK_VIOLATION)
      expect(await balance('brief')).to.equal(5n)
      expect(await bookAll([])).to.deep.equal([])
    })

    test('are refused as a whole where one of them does not balance or has no legs', async () => {
      await deposit('whole:from', 5n)
      const good = posting([leg('payable', 'whole:from', -1n), leg('payable', 'whole:to', 1n)])
      const bad = posting([leg('payable', 'whole:from', -1n), leg('payable', 'whole:to', 2n)])
      for (const wrong of [bad, posting([])]) {
        expect(await refusal(bookAll([good, wrong]))).to.equal(INTEGRITY_VIOLATION)
      }
      expect([await balance('whole:from'), await balance('whole:to')]).to.deep.equal([5n, undefined])
    })

    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows[0]?.count ?? 0
    }

    test('touch what one statement touched before, from many connections, without a deadlock', async () => {
      const owners = Array.from({ length: 6 }, (_, index) => `ring:${index}`)
      for (const owner of owners) await deposit(owner, 1_000n)
      const owner = (index: number) => owners[index % owners.length] ?? ''
      const batch = (shift: number) =>
        Array.from({ length: 20 }, (_, index) =>
          posting([leg('payable', owner(index + shift), -1n), leg('payable', owner(index + 2 * shift + 1), 1n)]),
        ).filter(({ legs: [from, to] }) => from?.owner !== to?.owner)
      // Where an account is to be opened, the others are locked along with it.
      const opened = (shift: number) => [
        posting([leg('payable', owner(shift), -1n), leg('payable', 'ring:0:opened by ten', 1n)]),
        posting([leg('payable', owner(shift + 1), -1n), leg('payable', `opened:${shift}`, 1n)]),
      ]
      const batches = Array.from({ length: 8 }, (_, index) => [
        ...batch(index % 2 === 0 ? index : 11 - index),
        ...opened(index),
      ])
      // They all wait for one account, with what each of them has locked before it, and then go on at once.
      const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const blocking = db.transaction().execute(async (tx) => {
        await post(tx, posting([leg('payable', owner(2), -1n), leg('payable', 'blocker', 1n)]))
        held.resolve()
        await released.promise
      })
      await held.promise
      // Each is tried once: after a deadlock a verb would be run again.
      const bookOnce = (given: Posting[]) =>
        db.transaction().execute((tx) =>
          gather(tx, async () => {
            for (const each of given) await post(tx, each)
          }),
        )
      const answering = Promise.all(batches.map(bookOnce))
      while ((await waiting()) < batches.length);
      released.resolve()
      await blocking
      await answering
      const balances = await Promise.all(owners.map((name) => balance(name)))
      expect(balances.reduce<bigint>((sum, found) => sum + (found ?? 0n), 0n)).to.equal(6_000n - 17n)
      expect(await drifted(db)).to.deep.equal([])
    })
  })

  describe('an account that is opened meanwhile', () => {
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows[0]?.count ?? 0
    }
    /** Posts in a transaction that stays open until it is ended. */
    const holdOpen = async (given: Posting) => {
      const [holds, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const held = db.transaction().execute(async (tx) => {
        await post(tx, given)
        await sql`select 1`.execute(tx)
        holds.resolve()
        await ends.promise
      })
      await holds.promise
      return () => {
        ends.resolve()
        return held
      }
    }
    // Tried once: who is to run again is told so.
    const bookOnce = (given: Posting) => db.transaction().execute((tx) => post(tx, given))

    test('takes what both posted that opened it', async () => {
      const pay = () => posting([leg('payable', 'rush', 1n), leg('hot_wallet', 'rush', -2n), leg('fees', 'rush', 1n)])
      const end = await holdOpen(pay())
      const second = bookOnce(pay())
      while ((await waiting()) < 1);
      await end()
      await second
      expect([await balance('rush', 'payable'), await balance('rush', 'fees')]).to.deep.equal([2n, 2n])
      expect(await balance('rush', 'hot_wallet')).to.equal(-4n)
      expect(await drifted(db)).to.deep.equal([])
    })

    test('is not waited for out of order where a third has it by then: the posting is to be run again', async () => {
      await deposit('third:z', 9n)
      const endFirst = await holdOpen(posting([leg('payable', 'third:z', -1n), leg('payable', 'third:y', 1n)]))
      const late = posting([leg('payable', 'third:z', -2n), leg('payable', 'third:a', 2n)])
      const refused = refusal(bookOnce(late))
      while ((await waiting()) < 1);
      await deposit('third:a', 5n)
      const endThird = await holdOpen(posting([leg('payable', 'third:a', -1n), leg('payable', 'third:b', 1n)]))
      await endFirst()
      expect(await refused).to.equal(SERIALIZATION_FAILURE)
      await endThird()
      expect(await book(late)).to.equal(true)
      expect([await balance('third:a'), await balance('third:z')]).to.deep.equal([6n, 6n])
      expect(await drifted(db)).to.deep.equal([])
    })
  })

  test('accounts that every trade touches are never locked, and add up all the same', async () => {
    const amounts = Array.from({ length: 40 }, (_, index) => BigInt(index + 1))
    await book(posting([leg('hot_wallet', 'shared', -1n), leg('fees', 'shared', 1n)]))
    await db.transaction().execute(async (tx) => {
      await post(tx, posting([leg('hot_wallet', 'shared', -1n), leg('fees', 'shared', 1n)]))
      // While this transaction stays open, the others must come through.
      await Promise.all(
        amounts.map((amount) => book(posting([leg('hot_wallet', 'shared', -amount), leg('fees', 'shared', amount)]))),
      )
    })
    const total = amounts.reduce((sum, amount) => sum + amount, 2n)
    expect(await balance('shared', 'fees')).to.equal(total)
    expect(await balance('shared', 'hot_wallet')).to.equal(-total)
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
          for (const owner of owners) await deposit(name(owner), opening)
          const outcomes = await Promise.all(
            moves.map(({ from, to, each }) =>
              book(
                posting([
                  leg('payable', name(from), -each * BigInt(to.length)),
                  ...to.filter((owner) => owner !== from).map((owner) => leg('payable', name(owner), each)),
                  // What comes back to the sender is left out of the sum, so that no leg moves nothing.
                  leg('fees', name('fees'), each * BigInt(to.filter((owner) => owner === from).length)),
                ]),
              ).then(() => 'posted', codeOf),
            ),
          )
          for (const outcome of outcomes) expect(outcome).to.be.oneOf(['posted', CHECK_VIOLATION])
          const balances = await Promise.all([...owners, 'fees'].map((owner) => balance(name(owner))))
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

/** Accounts whose balance is not the sum of their entries, and transfers that do not sum to zero. */
async function drifted(db: Db) {
  const { rows } = await sql`
    select account.id from ledger.accounts account left join ledger.entries entry on entry.account_id = account.id
      where not account.is_append_only group by account.id having coalesce(sum(entry.amount), 0) <> account.balance
    union all
    select transfer_id from ledger.entries group by transfer_id having sum(amount) <> 0`.execute(db)
  return rows
}
