import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../api/platform/db/pool.ts'
import {
  ASSET,
  balance,
  bookRaw,
  CHECK_VIOLATION,
  deposit,
  INTEGRITY_VIOLATION,
  newKey,
  ownerId,
  rawLeg,
  refusal,
  startBooks,
} from '../../../kit/api/payments/ledger/postings.ts'

const FORBIDDEN = '42501'
const WORKED = 'worked'
const NOT_NULL_VIOLATION = '23502'
const RESTRICT_VIOLATION = '23001'

describe('the ledger, whoever writes to it', () => {
  let books: Awaited<ReturnType<typeof startBooks>>
  let db: Db

  before(async () => {
    books = await startBooks()
    db = books.db
  })

  after(() => books?.stop())

  const unposted = 'is written by ledger.post_transfers alone'
  /** Writes with the setting of the door on, as only its functions have it. */
  const inside = (statement: ReturnType<typeof sql>) =>
    db.transaction().execute(async (tx) => {
      await sql`set local ledger.is_posting = 'on'`.execute(tx)
      await statement.execute(tx)
    })

  test('what is written stays: no entry is changed, removed or added to a transfer', async () => {
    await deposit(db, 'ada', 1n)
    await deposit(db, 'stone', 10n)
    for (const statement of [
      sql`update ledger.entries set amount = amount + 1`,
      sql`delete from ledger.entries`,
      sql`truncate ledger.entries`,
      sql`update ledger.transfers set kind = 'other'`,
      sql`delete from ledger.transfers`,
      sql`truncate ledger.transfers cascade`,
      sql`delete from ledger.accounts`,
      sql`truncate ledger.accounts cascade`,
      sql`update ledger.accounts set kind = 'claimable' where id = (select min(id) from ledger.accounts)`,
      sql`update ledger.accounts set owner_type = 'order' where id = (select min(id) from ledger.accounts)`,
      sql`update ledger.accounts set owner_id = 'eve' where id = (select min(id) from ledger.accounts)`,
      sql`update ledger.account_kinds set is_append_only = true`,
      sql`delete from ledger.account_kinds`,
    ]) {
      expect(await refusal(statement.execute(db))).to.be.oneOf([RESTRICT_VIOLATION, INTEGRITY_VIOLATION])
      expect(await refusal(inside(statement))).to.equal(RESTRICT_VIOLATION)
    }
  })

  test('nothing comes into the books but by the function: no account, no transfer, no entry, no balance', async () => {
    await deposit(db, 'whole', 5n)
    const [nobody, none] = [2n ** 62n, 2n ** 62n]
    for (const statement of [
      sql`insert into ledger.transfers (key, kind, evidence) values (${newKey()}, 'test', '{}')`,
      sql`insert into ledger.entries (transfer_id, account_id, amount)
        select max(transfer_id) + 1, max(account_id), 1 from ledger.entries`,
      sql`insert into ledger.entries (transfer_id, account_id, amount)
        select max(transfer_id), ${nobody}, 1 from ledger.entries`,
      sql`insert into ledger.entries (transfer_id, account_id, amount) select ${none}, min(id), 1 from ledger.accounts`,
      sql`with given as (select * from ledger.entries limit 1) merge into ledger.entries entry using given
        on false when not matched then insert (transfer_id, account_id, amount) values (given.transfer_id, 1, 1)`,
      sql`insert into ledger.accounts (asset, kind, owner_type, owner_id, balance)
        values (${ASSET}, 'payable', 'human', 'mint', 5)`,
      sql`update ledger.accounts set balance = balance + 1`,
    ]) {
      const failure = await statement.execute(db).catch((error: Error) => error)
      expect(String(failure)).to.contain(unposted)
    }
  })

  test('no entry moves nothing', async () => {
    await deposit(db, 'idle:a', 9n)
    const book = (owners: string[], amounts: bigint[]) =>
      bookRaw(
        db,
        owners.map((owner, index) => rawLeg(owner, amounts[index])),
      )
    expect(await refusal(book(['idle:a', 'idle:b'], [0n, 0n]))).to.equal(CHECK_VIOLATION)
    expect(await refusal(book(['idle:a', 'idle:b', 'idle:c'], [-1n, 0n, 1n]))).to.equal(CHECK_VIOLATION)
    await book(['idle:a', 'idle:b', 'idle:c'], [-2n, 1n, 1n])
    await book(['idle:a', 'idle:b'], [-1n, 1n])
    // What is on one account of one transfer is one leg of it.
    expect(await refusal(book(['idle:a', 'idle:b', 'idle:b'], [0n, 1n, -1n]))).to.equal(CHECK_VIOLATION)
    const balances = await Promise.all(['idle:a', 'idle:b', 'idle:c'].map((owner) => balance(db, owner)))
    expect(balances).to.deep.equal([6n, 2n, 1n])
  })

  test('a leg without an amount or an owner is refused, and nothing of its transfer is done', async () => {
    await deposit(db, 'short:a', 9n)
    const amountless = [rawLeg('short:a', -1n), rawLeg('short:b', 1n), rawLeg('short:c', undefined)]
    expect(await refusal(bookRaw(db, amountless, 'test:short'))).to.equal(NOT_NULL_VIOLATION)
    const ownerless = [rawLeg('short:a', -1n), { ...rawLeg('', 1n), owner_id: undefined as unknown as string }]
    expect(await refusal(bookRaw(db, ownerless, 'test:short'))).to.equal(NOT_NULL_VIOLATION)
    expect([await balance(db, 'short:a'), await balance(db, 'short:b')]).to.deep.equal([9n, undefined])
  })

  test('no account is of a kind that there is not, or of an owner that its kind cannot have', async () => {
    await deposit(db, 'shape', 9n)
    for (const wrong of [rawLeg('ada', 1n, 'wish'), rawLeg('ada', 1n, 'hold', 'human')]) {
      expect(await refusal(bookRaw(db, [rawLeg('shape', -1n), wrong]))).to.equal(CHECK_VIOLATION)
    }
    const opened = (kind: string, type: string) => sql`select ledger.open_account(${ASSET}, ${kind}, ${type}, 'ada')`
    expect(await refusal(opened('wish', 'human').execute(db))).to.equal(CHECK_VIOLATION)
    expect(await refusal(opened('payable', 'order').execute(db))).to.equal(CHECK_VIOLATION)
    expect(await balance(db, 'shape')).to.equal(9n)
  })

  describe('another role', () => {
    /**
     * Runs statements as a role of its own, with these privileges, and undoes it all. Returns the code it
     * failed with.
     */
    const as = (privileges: readonly RawBuilder<unknown>[], ...statements: RawBuilder<unknown>[]) =>
      refusal(
        db.transaction().execute(async (tx) => {
          await sql`create role clerk`.execute(tx)
          await sql`grant usage on schema ledger, market to clerk`.execute(tx)
          for (const privilege of privileges) await privilege.execute(tx)
          await sql`set local role clerk`.execute(tx)
          for (const statement of statements) await statement.execute(tx)
          throw Object.assign(new Error('all of it worked'), { code: WORKED })
        }),
      )
    const everything = [
      sql`grant all on all tables in schema ledger to clerk`,
      sql`grant all on all sequences in schema ledger to clerk`,
      sql`grant execute on function market.current_act to clerk`,
    ]
    const theFunction = [
      sql`grant execute on function ledger.post_transfers to clerk`,
      sql`grant select on all tables in schema ledger to clerk`,
    ]
    const settingOn = sql`set local ledger.is_posting = 'on'`
    const legs = [rawLeg('kept', -1n), rawLeg('clerk', 1n)]
    const transfer = JSON.stringify([{ key: 'test:role', kind: 'test', asset: ASSET, evidence: {}, legs }])
    const posting = sql`select ledger.post_transfers(${transfer}::jsonb)`

    test('that may write to all tables of the ledger gets past nothing that it refuses', async () => {
      await deposit(db, 'kept', 9n)
      for (const statement of [
        sql`update ledger.accounts set balance = -1 where owner_id = ${ownerId('human', 'kept')}`,
        sql`insert into ledger.accounts (asset, kind, owner_type, owner_id, balance)
          values (${ASSET}, 'payable', 'human', 'owing', 1)`,
        sql`insert into ledger.transfers (key, kind, evidence) values ('test:clerk', 'test', '{}')`,
        sql`insert into ledger.entries (transfer_id, account_id, amount)
          select transfer_id, account_id + 1, 5 from ledger.entries limit 1`,
      ]) {
        expect(await as(everything, statement)).to.equal(INTEGRITY_VIOLATION)
      }
      expect(await as(everything, sql`update ledger.entries set amount = 1`)).to.equal(RESTRICT_VIOLATION)
      const below = sql`update ledger.accounts set balance = -1 where owner_id = ${ownerId('human', 'kept')}`
      expect(await as(everything, settingOn, below)).to.equal(CHECK_VIOLATION)
      expect(await balance(db, 'kept')).to.equal(9n)
    })

    test('posts by the function alone where it is granted that, and writes no table, with the setting on either', async () => {
      await deposit(db, 'kept', 9n)
      expect(await as([], posting)).to.equal(FORBIDDEN)
      expect(await as(theFunction, posting)).to.equal(WORKED)
      for (const statement of [
        sql`update ledger.accounts set balance = 5`,
        sql`delete from ledger.transfer_digests`,
        sql`select ledger.record_digests('{1}', '{x}')`,
      ]) {
        expect(await as(theFunction, statement)).to.equal(FORBIDDEN)
        expect(await as(theFunction, settingOn, statement)).to.equal(FORBIDDEN)
      }
    })
  })
})
