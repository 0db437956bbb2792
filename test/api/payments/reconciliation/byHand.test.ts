import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { failPayout } from '../../../../api/payments/payouts/fail.ts'
import { submitPayout } from '../../../../api/payments/payouts/internal/submit.ts'
import { payoutsOf } from '../../../kit/api/payments/escrow/read.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import { setState, type Trade } from '../../../kit/api/payments/escrow/world.ts'
import {
  type Bookkeeping,
  paid,
  released,
  startBookkeeping,
  transferred,
  withdrawn,
} from '../../../kit/api/payments/reconciliation/books.ts'
import {
  another,
  type Change,
  change,
  changeBack,
  columnsOf,
  remove,
  rowsOf,
  unguarded,
} from '../../../kit/api/payments/reconciliation/byHand.ts'
import { roleAccount, signTransfer, submitToToken } from '../../../kit/chain/payments.ts'

const REFUND = 5_000_000n
const ATTEMPTS = 3

// When and why, and how often: how much it is, whose, and where it stands, follows from the others.
const SAYS_NOTHING_OF_MONEY: Record<string, readonly string[]> = {
  // The place of a transfer in the timeline.
  'ledger.transfers': ['act'],
  // Evidence that was changed proves nothing to the facilitator, which then makes the release wait.
  'market.holds': ['id', 'created_at', 'settled_at', 'release_evidence'],
  'market.payouts': [
    ...['id', 'attempt', 'reason', 'wallet_id'],
    ...['created_at', 'submitted_at', 'parked_at', 'confirmed_at'],
  ],
  // Who signed, and whether: that everyone who has a receipt can tell, and an audit does.
  'market.receipts': ['key_id', 'signature', 'audit_id', 'finalized_at', 'created_at'],
}
/** Another state that each can be said to be in. */
const OTHER_STATES: Record<string, string> = {
  ...{ held: 'released', released: 'held' },
  ...{ pending: 'confirmed', submitted: 'confirmed', confirmed: 'failed', failed: 'confirmed' },
}

describe('the reconciler, after one row was changed by hand', () => {
  let books: Bookkeeping

  before(async () => {
    books = await startBookkeeping()
    await tradeInBothModes(books)
    expect((await books.sweep()).findings).to.deep.equal([])
  })

  after(() => books?.stop())

  const found = async () => (await books.sweep()).findings.map(({ subject }) => subject)
  /** Whether a change is found, and one of these is named by it. Afterwards it is as it was. */
  const expectNamed = async (made: Change, names: readonly string[]) => {
    const what = `${made.table}.${made.column}: ${JSON.stringify(made.row)} to ${JSON.stringify(made.to)}`
    // A domain, a CHECK, a key or an identity may refuse it: that is no change.
    const refused = await change(books.world, made).then(
      () => undefined,
      (error: { code?: string }) => String(error.code),
    )
    if (refused !== undefined) {
      expect(refused, what).to.match(/^(23|428C9)/)
      return
    }
    try {
      const subjects = await found()
      expect(
        subjects.some((subject) => [...names, made.to, `market:receipt:${made.to}`].includes(subject)),
        `${what}: ${subjects.join()}`,
      ).to.equal(true)
    } finally {
      await changeBack(books.world, made)
    }
  }
  const tables: [string, { key: string[]; order: string; namesOf: (row: Row) => Promise<string[]> }][] = [
    [
      'ledger.transfers',
      { key: ['id'], order: 'id', namesOf: async ({ id, key }) => [`${key}`, ...(await keysOf(id))] },
    ],
    [
      'ledger.entries',
      { key: ['transfer_id', 'account_id'], order: 'id', namesOf: ({ transfer_id: id }) => keysOf(id) },
    ],
    [
      'ledger.accounts',
      {
        key: ['id'],
        order: 'id',
        namesOf: async ({ id, owner_type: type, owner_id: owner }) => [
          ...[`${owner}`, `market:${type}:${owner}`],
          ...(await keysOn(id)),
        ],
      },
    ],
    ['market.holds', { key: ['id'], order: 'id', namesOf: async (row) => [holdName(row)] }],
    ['market.payouts', { key: ['id'], order: 'id', namesOf: async (row) => payoutNames(row) }],
    [
      'market.receipts',
      {
        ...{ key: ['id'], order: 'id' },
        namesOf: async ({ id, order_id }) => [`market:receipt:${id}`, ...(await holdNamesOf(order_id))],
      },
    ],
  ]
  for (const [table, { key, order, namesOf }] of tables) {
    test(`names what any column of ${table} is of [risk owner-login]`, async () => {
      const rows = await withEntries(table, await rowsOf(books.world, table, order))
      const columns = (await columnsOf(books.world, table)).filter(
        ({ name }) => !SAYS_NOTHING_OF_MONEY[table]?.includes(name),
      )
      let turn = 0
      for (const { name: column, type } of columns) {
        const told = rows.filter((row) => saysSomething(table, column, row))
        expect(told, `${table}.${column}`).to.not.have.length(0)
        for (const row of process.env.MARKET_TEST_DEEP ? told : [told[turn++ % told.length] as Row]) {
          const to = OTHER_STATES[String(row[column])] ?? another(type, row[column])
          await expectNamed({ table, key, row, column, to }, await namesOf(row))
        }
      }
      expect(await found()).to.deep.equal([])
    })

    test(`names what a row of ${table} was of that is gone`, async () => {
      const rows = await withEntries(table, await rowsOf(books.world, table, order))
      for (const row of process.env.MARKET_TEST_DEEP ? rows : [rows[0] as Row, rows.at(-1) as Row]) {
        const names = await namesOf(row)
        const putBack = await remove(books.world, { table, key, row })
        const subjects = await found()
        const isNamed = subjects.some((subject) => [...names, `transfer ${row.id}`].includes(subject))
        expect(isNamed, `${JSON.stringify(row)}: ${subjects.join()}`).to.equal(true)
        await putBack()
      }
      expect(await found()).to.deep.equal([])
    })
  }

  test('names the hold whose split was shifted from one side to the other, in both modes', async () => {
    const shift = (id: unknown, by: number) => sql`update market.holds
      set released_payee_micros = released_payee_micros + ${by}, released_fee_micros = released_fee_micros - ${by}
      where id = ${id}`
    const splits = (await rowsOf(books.world, 'market.holds', 'id')).filter(({ status }) => status === 'released')
    for (const hold of splits) {
      await unguarded(books.world, shift(hold.id, 1))
      expect(await found()).to.include(holdName(hold))
      await unguarded(books.world, shift(hold.id, -1))
    }
    expect(await found()).to.deep.equal([])
  })

  test('goes on where an account is none any more, or what was verified is no terms', async () => {
    const [account] = (await rowsOf(books.world, 'ledger.accounts', 'id')).filter(({ kind }) => kind === 'payable')
    if (!account) throw new Error('nobody has earned anything')
    for (const kind of ['in_transit', 'claimable', 'hold', 'nothing']) {
      await expectNamed({ table: 'ledger.accounts', key: ['id'], row: account, column: 'kind', to: kind }, [
        ...[`${account.owner_id}`, `market:human:${account.owner_id}`],
      ])
    }
    const receipts = await rowsOf(books.world, 'market.receipts', 'id')
    const receipt = receipts.find(({ document }) => document !== null)
    if (!receipt) throw new Error('no receipt is signed')
    const setDocument = (text: string) =>
      unguarded(books.world, sql`update market.receipts set document = ${text}::jsonb where id = ${receipt.id}`)
    for (const text of ['{"price": 1e400}', 'null', '"nothing"', '[7]']) {
      await setDocument(text)
      expect(await found(), text).to.deep.equal([`market:receipt:${receipt.id}`])
    }
    await setDocument(JSON.stringify(receipt.document))
    const [fact] = (await rowsOf(books.world, 'market.processed_chain_events', 'key')).filter(
      ({ kind }) => kind === 'funded',
    )
    if (!fact) throw new Error('there is no hold')
    const stated = { ...(fact.event_arguments as object), payer: 'nobody', amount: 'much' }
    await expectNamed(
      { table: 'market.processed_chain_events', key: ['key'], row: fact, column: 'event_arguments', to: stated },
      [`${fact.key}`.slice('funded:'.length)],
    )
  })

  const keysOf = async (transferId: unknown) => {
    const { rows } = await sql<{ key: string }>`
      select key from ledger.transfers where id = ${transferId}`.execute(books.world.db)
    return rows.map(({ key }) => key)
  }
  const holdNamesOf = async (orderId: unknown) =>
    (await rowsOf(books.world, 'market.holds', 'id')).filter((row) => row.order_id === orderId).map(holdName)
  const keysOn = async (accountId: unknown) => {
    const { rows } = await sql<{ key: string }>`
      select key from ledger.transfers transfer join ledger.entries entry on entry.transfer_id = transfer.id
      where account_id = ${accountId}`.execute(books.world.db)
    return rows.map(({ key }) => key)
  }
  /** Accounts on which nothing has ever stood are nothing that could be wrong. */
  const withEntries = async (table: string, rows: Row[]) => {
    if (table !== 'ledger.accounts') return rows
    const entries = await rowsOf(books.world, 'ledger.entries', 'id')
    return rows.filter(({ id }) => entries.some((entry) => entry.account_id === id))
  }
})

type Row = Record<string, unknown>

function holdName({ hold_key: key, order_id: orderId }: Row): string {
  return key === null ? `market:order:${orderId}` : `${key}`
}

function payoutNames({ id, order_id: orderId, deposit_from: from, deposit_nonce: nonce }: Row): string[] {
  return [`market:payout:${id}`, `payment:${from}:${nonce}`, `market:order:${orderId}`]
}

/** Where a payout goes is said when it is asked for, and in which transaction it went, when it is made. */
function saysSomething(table: string, column: string, row: Row): boolean {
  if (table === 'market.holds') return row[column] !== null
  // Of an open one it is said whose it is, and nothing else.
  if (table === 'market.receipts') return row.document !== null || column === 'order_id' || column === 'document'
  if (column === 'to_address') return row.state === 'submitted' || row.state === 'confirmed'
  if (column === 'tx_hash') return row.state === 'confirmed'
  return true
}

/** Trades in both modes, each standing at another place at the end. */
async function tradeInBothModes(books: Bookkeeping): Promise<void> {
  const { world } = books
  const pay = async (mode: 'contract' | 'custodied') => {
    const { trade, receipt } = await paid(books, mode)
    await books.book(receipt)
    return trade
  }
  await pay('contract')
  const sold = await pay('contract')
  await books.book(await released(books, sold))
  await books.book(await withdrawn(books, sold))
  await pay('custodied')
  for (const until of [makePayouts, submitPayouts, parkPayouts, async () => {}]) {
    const trade = await pay('custodied')
    await setState(world, trade, 'accepted')
    await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: REFUND }))
    await until(books, trade)
  }
  for (const to of ['escrow', 'hotWallet'] as const)
    await books.book(await transferred(books, world.settings.chain[to], 7n))
}

async function ids({ world }: Bookkeeping, { orderId, payer }: Trade): Promise<string[]> {
  const payouts = await payoutsOf(world, payer)
  return payouts.filter(({ order_id: of }) => of === orderId).map(({ id }) => id)
}

async function submitPayouts(books: Bookkeeping, trade: Trade): Promise<void> {
  const { world } = books
  for (const id of await ids(books, trade)) await world.run((tx) => submitPayout(tx, world.settings, id))
}

async function makePayouts(books: Bookkeeping, trade: Trade): Promise<void> {
  await submitPayouts(books, trade)
  const { chain, world } = books
  for (const id of await ids(books, trade)) {
    const payouts = world.db.selectFrom('market.payouts').selectAll().where('id', '=', id)
    const { to_address: to, nonce, amount_micros: value } = await payouts.executeTakeFirstOrThrow()
    const payout = { to: to as Address, nonce: nonce as Hex, value }
    await books.book(await submitToToken(chain, await signTransfer(chain, roleAccount(chain, 'hotWallet'), payout)))
  }
}

async function parkPayouts(books: Bookkeeping, trade: Trade): Promise<void> {
  const { world } = books
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await submitPayouts(books, trade)
    for (const id of await ids(books, trade)) await world.run((tx) => failPayout(tx, world.settings, id, 'refused'))
  }
}
