import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Db } from '../../../api/db/pool.ts'
import {
  ASSET,
  balance,
  CHECK_VIOLATION,
  deposit,
  INTEGRITY_VIOLATION,
  newKey,
  refusal,
  startBooks,
} from './postings.ts'

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

  test('what is written stays: no entry is changed, removed or added to a transfer', async () => {
    await deposit(db, 'ada', 1n)
    await deposit(db, 'stone', 10n)
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
      expect(await refusal(statement.execute(db))).to.be.oneOf([RESTRICT_VIOLATION, INTEGRITY_VIOLATION])
    }
  })

  test('an entry is of a transfer and an account that exist', async () => {
    const [nobody, none] = [2n ** 62n, 2n ** 62n]
    const written = sql`insert into ledger.transfers (key, kind, evidence) values (${newKey()}, 'test', '{}')
      returning id`
    const entry = sql`with transfer as (${written}) insert into ledger.entries (transfer_id, account_id, amount)
      select id, ${nobody}, 1 from transfer`
    expect(await refusal(entry.execute(db))).to.equal(INTEGRITY_VIOLATION)
    const orphan = sql`insert into ledger.entries (transfer_id, account_id, amount)
      select ${none}, min(id), 1 from ledger.accounts`
    expect(await refusal(orphan.execute(db))).to.equal(INTEGRITY_VIOLATION)
  })

  test('nothing comes into the books but as a whole transfer', async () => {
    await deposit(db, 'whole', 5n)
    const transfer = sql`insert into ledger.transfers (key, kind, evidence) values (${newKey()}, 'test', '{}')`
    const entry = sql`insert into ledger.entries (transfer_id, account_id, amount)
      select max(transfer_id) + 1, max(account_id), 1 from ledger.entries`
    const copied = sql`with given as (select * from ledger.entries limit 1) merge into ledger.entries entry using given
      on false when not matched then insert (transfer_id, account_id, amount) values (given.transfer_id, 1, 1)`
    for (const statement of [transfer, entry, copied]) {
      expect(await refusal(statement.execute(db))).to.equal(INTEGRITY_VIOLATION)
    }
  })

  test('no entry moves nothing', async () => {
    await deposit(db, 'idle:a', 9n)
    const one = (owners: string[], amounts: bigint[]) => sql`insert into ledger.posting
      (key, kind, evidence, asset, leg_kinds, owners, amounts) values
      (${newKey()}, 'test', '{}', ${ASSET}, ${owners.map(() => 'payable')}, ${owners}, ${amounts.map(String)})`
    const set = (owners: string[], amounts: bigint[]) => sql`insert into ledger.postings
      (keys, kinds, order_ids, evidence, assets, transfers, leg_kinds, owners, amounts) values
      (${[newKey()]}, '{test}', '{null}', '{"{}"}', ${[ASSET]}, ${owners.map(() => 1)},
      ${owners.map(() => 'payable')}, ${owners}, ${amounts.map(String)})`
    for (const row of [one, set]) {
      expect(await refusal(row(['idle:a', 'idle:b'], [0n, 0n]).execute(db))).to.equal(CHECK_VIOLATION)
      expect(await refusal(row(['idle:a', 'idle:b', 'idle:c'], [-1n, 0n, 1n]).execute(db))).to.equal(CHECK_VIOLATION)
      await row(['idle:a', 'idle:b', 'idle:c'], [-2n, 1n, 1n]).execute(db)
      await row(['idle:a', 'idle:b'], [-1n, 1n]).execute(db)
    }
    // What is on one account of one transfer is one leg of it.
    expect(await refusal(set(['idle:a', 'idle:b', 'idle:b'], [0n, 1n, -1n]).execute(db))).to.equal(CHECK_VIOLATION)
    expect([await balance(db, 'idle:a'), await balance(db, 'idle:b'), await balance(db, 'idle:c')]).to.deep.equal([
      3n,
      4n,
      2n,
    ])
  })

  test('a leg without an amount or an owner is refused, and nothing of its transfer is done', async () => {
    await deposit(db, 'short:a', 9n)
    const row = (owners: string[], amounts: bigint[]) => sql`insert into ledger.posting
      (key, kind, evidence, asset, leg_kinds, owners, amounts) values
      ('test:short', 'test', '{}', ${ASSET}, ${owners.map(() => 'payable')}, ${owners}, ${amounts.map(String)})`
    expect(await refusal(row(['short:a', 'short:b', 'short:c'], [-1n, 1n]).execute(db))).to.equal(NOT_NULL_VIOLATION)
    expect(await refusal(row(['short:a'], [-1n, 1n]).execute(db))).to.equal(CHECK_VIOLATION)
    expect([await balance(db, 'short:a'), await balance(db, 'short:b')]).to.deep.equal([9n, undefined])
  })

  test('no account is of a kind that there is not', async () => {
    const opened = sql`insert into ledger.accounts (asset, kind, owner) values (${ASSET}, 'wish', 'ada')`
    expect(await refusal(opened.execute(db))).to.equal(CHECK_VIOLATION)
  })

  test('nobody who may write to all of its tables gets past what it refuses', async () => {
    await deposit(db, 'kept', 9n)
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
    expect(await refused(sql`update ledger.entries set amount = 1`)).to.equal(RESTRICT_VIOLATION)
    expect(await balance(db, 'kept')).to.equal(9n)
  })
})
