import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '../../../cli/machine/paths.ts'
import { foreignRows } from '../../../facilitator/foreignRows.ts'
import { type Custody, startCustody } from '../../kit/facilitator/custody.ts'
import { type Bench, letTimePass, outcomeOf, request } from '../../kit/facilitator/facilitator.ts'

const [CHECK_VIOLATION, FORBIDDEN] = ['23514', '42501']
const VALIDATION = 'api/migrations/1.0.0-rc.2/0004_validate_file.sql'
const QUARTER_HOUR_SECONDS = 900
/** More than is verified of any table. */
const ROWS = 2_100
const HASH = `'0x' || lpad(to_hex(n), 64, '0')`
const SIGNATURE = `'0x' || repeat('11', 65)`

describe('rows that a stolen login of the facilitator adds to its file', { timeout: 300_000 }, () => {
  let custody: Custody
  let bench: Bench

  /** Runs a statement with the login of the facilitator. Returns the error code, or `done`. */
  const steal = async (statement: string, values: unknown[] = []) => {
    const role = new pg.Client(bench.database.roleUrls.facilitator)
    await role.connect()
    try {
      await role.query(statement, values)
      return 'done'
    } catch (error) {
      return (error as pg.DatabaseError).code
    } finally {
      await role.end()
    }
  }
  const constraint = async () => {
    const { rows } = await bench.client.query<{ definition: string; is_valid: boolean }>(
      `select pg_get_constraintdef(oid) as definition, convalidated as is_valid from pg_constraint
       where conname = 'transactions_well_formed'`,
    )
    return rows
  }
  const fill = async (table: string, columns: string, values: string) => {
    const statement = `insert into facilitator.${table} (${columns}) select ${values} from generate_series(1, ${ROWS}) n`
    expect(await steal(statement), table).to.equal('done')
  }
  const fillTransactions = (signer: string, nonce: string, salt: string, intent = 'null') =>
    fill(
      'transactions',
      'hash, signer, nonce, raw, intent_id',
      `'0x' || encode(sha256(convert_to('${salt}' || n, 'UTF8')), 'hex'), ${signer}, ${nonce}, '0x02f8', ${intent}::uuid`,
    )
  const newest = `(select max(number) from facilitator.authorizations)`
  const fillEntries = async (number: string) => {
    const place = `${number}, ${HASH}, ${HASH}, ${SIGNATURE}`
    await fill(
      'authorizations',
      'number, hash, previous, seal, nonce, leg, valid_before, recipient, amount_micros, signature',
      `${place}, ${HASH}, 'payer', 253402300799, '0x' || repeat('ab', 20), 1, ${SIGNATURE}`,
    )
    await fill('identities', 'number, hash, previous, seal, identity, signs_from', `${place}, 'x', 253402300799`)
  }

  before(async () => {
    custody = await startCustody()
    bench = custody.bench
  })
  afterEach(() => custody.stopActing())
  after(() => custody.stop())

  test('do not stop a facilitator from starting, although they name a signer that is no address', async () => {
    const junk = `insert into facilitator.transactions (hash, signer, nonce, raw) values ('x', 'x', 0, '0x')`
    expect(await steal(junk)).to.equal(CHECK_VIOLATION)
    // A database of the version before has such rows already.
    const [{ definition } = { definition: '' }] = await constraint()
    await bench.client.query('alter table facilitator.transactions drop constraint transactions_well_formed')
    expect(await steal(junk)).to.equal('done')
    // Its migration adds the constraint for new rows alone.
    await bench.client.query(
      `alter table facilitator.transactions add constraint transactions_well_formed ${definition} not valid`,
    )
    await bench.client.query(await readFile(join(ROOT, VALIDATION), 'utf8'))
    expect((await constraint())[0]).to.include({ is_valid: false })
    await custody.act()
    expect(await custody.payOnce()).to.equal('confirmed')
  })

  test('neither stop nor slow a start, however many they are: payouts wait once for what may have been signed [risk market-facilitator]', async () => {
    await custody.act()
    expect(await custody.payOnce()).to.equal('confirmed')
    await custody.stopActing()
    const payout = await custody.newPayout()
    const intent = await request(bench, payout)
    const { submitter, resolver, hotWallet } = bench.chain.accounts
    for (const { address } of [submitter, resolver, hotWallet]) {
      const signer = `'${address.toLowerCase()}'`
      await fillTransactions(signer, 'n', `each ${address}`)
      await fillTransactions(signer, '0', `first ${address}`)
      await fillTransactions(signer, '9007199254740991', `last ${address}`)
    }
    await fillTransactions(`'0x' || lpad(to_hex(n), 40, '0')`, '0', 'strangers')
    await fillTransactions(`'${submitter.address.toLowerCase()}'`, 'n', 'of the intent', `'${intent}'`)
    await fillEntries(`${newest} + 1`)
    await fillEntries('1')
    await fillEntries(`${newest} + n`)
    await fill('outcomes', 'intent_id, status', `gen_random_uuid(), 'failed'`)
    await fill('leases', 'key, holder, fencing, ends_at', `'0x' || lpad(to_hex(n), 40, '0'), 'x', 0, '-infinity'`)
    const sight = `(select coalesce(max(number), 0) from facilitator.first_sights) + n, ${HASH}, 0, 0, 1, 1, ${SIGNATURE}`
    await fill('first_sights', 'number, subject, payer_micros, payee_micros, seen_at, due_at, signature', sight)
    expect(await steal(`update facilitator.heartbeat set beat_at = 'infinity'`)).to.equal(CHECK_VIOLATION)

    const { output } = await custody.act()
    expect(output()).to.include('the file was restored').and.to.include('was not sealed by the key')
    await letTimePass(bench, QUARTER_HOUR_SECONDS + 10)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    // Far fewer lines than rows.
    expect(output().split('"alarm":true').length).to.be.below(20)
    await custody.stopActing()
    expect((await custody.act()).output()).not.to.include('the file was restored')
    expect(await custody.payOnce()).to.equal('confirmed')
  })
  test('are removed by a command of the owner, which keeps every row that a key of ours signed [risk market-facilitator]', async () => {
    const tables = ['identities', 'authorizations', 'first_sights', 'wallet_sights', 'transactions', 'outcomes']
    const { submitter, resolver, hotWallet } = bench.chain.accounts
    const at = { ...bench.chain, hotWallet: hotWallet.address }
    const found = async (isRemoval: boolean, own = at) => {
      const all = foreignRows(
        bench.database.url,
        { at: own, senders: [submitter.address, resolver.address] },
        { isRemoval },
      )
      return Array.fromAsync(all)
    }
    await fill(
      'wallet_sights',
      'owner_id, wallet, seen_at, due_at, signature',
      `gen_random_uuid(), '0x' || repeat('ab', 20), 0, 0, ${SIGNATURE}`,
    )
    const counted = await found(false)
    expect(counted.map(({ table }) => table)).to.deep.equal(tables.map((table) => `facilitator.${table}`))
    for (const { table, foreign } of counted) expect(foreign, table).to.be.above(0)
    expect(await found(false)).to.deep.equal(counted)
    const otherFile = await found(true, { ...at, chainId: 1 }).catch((error: Error) => error.message)
    expect(otherFile).to.include('check CHAIN_ID')
    expect(await found(true)).to.deep.equal(counted)
    expect(await found(false)).to.deep.equal(
      counted.map((one) => ({ ...one, rows: one.rows - one.foreign, foreign: 0 })),
    )
    expect((await constraint())[0]).to.include({ is_valid: true })
    const { output } = await custody.act()
    expect(output()).not.to.include('the file was restored').and.not.to.include('it is ignored')
    expect(await custody.payOnce()).to.equal('confirmed')
    for (const table of tables) expect(await steal(`delete from facilitator.${table}`), table).to.equal(FORBIDDEN)
    const asOwner = await bench.client
      .query('delete from facilitator.transactions')
      .catch((error: Error) => error.message)
    expect(asOwner).to.equal('transactions is append-only')
  })
})
