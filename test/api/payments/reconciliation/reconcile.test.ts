import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pg from 'pg'
import type { Hex } from 'viem'
import { assetKey, post } from '../../../../api/payments/ledger/post.ts'
import { submitPayout } from '../../../../api/payments/payouts/internal/submit.ts'
import type { Comparison } from '../../../../api/payments/reconciliation/internal/record.ts'
import { listStandingStops, listStopRows, stopPayouts } from '../../../../api/payments/stops/stops.ts'
import { holdId } from '../../../../protocol/payments/terms.ts'
import { release } from '../../../kit/api/payments/escrow/release.ts'
import { newAddress, newHash, PRICE, setState, type Trade } from '../../../kit/api/payments/escrow/world.ts'
import {
  type Bookkeeping,
  paid,
  refunded,
  released,
  rescued,
  startBookkeeping,
  transferred,
  withdrawn,
} from '../../../kit/api/payments/reconciliation/books.ts'
import { unguarded } from '../../../kit/api/payments/reconciliation/byHand.ts'
import { mintUsdc, roleAccount, signTransfer, submitToToken } from '../../../kit/chain/payments.ts'
import { startDatabase } from '../../../kit/stack/database.ts'

const MISSING = 3n

describe('the reconciler', () => {
  let books: Bookkeeping
  let held: { orderId: string; id: Hex }
  let deposited: Trade
  /** What was booked last in the contract, and in the hot wallet. */
  let last: { hold: Hex; payment: string }

  before(async () => {
    books = await startBookkeeping()
  })

  beforeEach(() => {
    books.lines.length = 0
  })

  after(() => books?.stop())

  const expectOk = async () => {
    const look = await books.look()
    expect(look.findings).to.deep.equal([])
    expect(look).to.include({ is_ok: true, lag_blocks: 0n, lag_seconds: 0n, differs_since_head: null })
    expect(look.figures.booked).to.deep.equal(look.figures.seen)
    return look
  }
  const found = async () => (await books.look()).findings.map(({ code, subject }) => [code, subject])
  const stops = async () => {
    const rows = await books.world.run((tx) => listStopRows(tx, { before: undefined, limit: 10 }))
    return rows.map(({ place, reason }) => [place, reason.replace(/ at block \d+/, '')])
  }

  test('finds the books to be what the chain says, after each step of a trade in both modes', async () => {
    const sold = await paid(books, 'contract')
    await books.book(sold.receipt)
    expect((await expectOk()).figures.seen).to.include({ escrowMicros: 20_000_000n, owedMicros: 20_000_000n })
    await books.book(await released(books, sold.trade))
    await expectOk()
    await books.book(await withdrawn(books, sold.trade))
    expect((await expectOk()).figures.seen).to.include({ escrowMicros: 1_000_000n, owedMicros: 1_000_000n })
    const returned = await paid(books, 'custodied')
    await books.book(returned.receipt)
    expect((await expectOk()).figures.seen.walletMicros).to.equal(20_000_000n)
    await books.book(await refunded(books, returned.trade))
    expect((await expectOk()).figures.seen.walletMicros).to.equal(0n)
    const open = [await paid(books, 'contract'), await paid(books, 'custodied')] as const
    for (const { receipt } of open) await books.book(receipt)
    const { payer, order } = open[0].trade
    held = { orderId: order.id, id: holdId(order.nonce as Hex, payer) }
    deposited = open[1].trade
    await expectOk()
    expect(books.lines).to.deep.equal([])
  })

  test('adds up what is committed once, whatever transaction is idle, here or in another database of the server', async () => {
    const other = await startDatabase()
    const idle = [new pg.Client(other.url), new pg.Client(books.world.databaseUrl)]
    try {
      for (const client of idle) {
        await client.connect()
        await client.query('begin')
        await client.query('select pg_current_xact_id()')
      }
      const before = await expectOk()
      const sold = await paid(books, 'contract')
      await books.book(sold.receipt)
      const { below } = await expectOk()
      expect(below.escrow_contract).to.equal((before.below.escrow_contract ?? 0n) - PRICE)
    } finally {
      for (const client of idle) await client.end()
      await other.stop()
    }
  })

  test('leaves out what later blocks have brought into the books', async () => {
    const block = await books.chain.client.getBlockNumber()
    const late = [await paid(books, 'contract'), await paid(books, 'custodied')] as const
    for (const { receipt } of late) await books.book(receipt)
    await books.book(await released(books, late[0].trade))
    const [{ payer, order }, { order: other }] = [late[0].trade, late[1].trade]
    last = { hold: holdId(order.nonce as Hex, payer), payment: `payment:${payer}:${other.nonce}` }
    const look = await books.lookAt(block)
    expect(look.findings).to.deep.equal([])
    expect(look.lag_blocks).to.equal((await books.chain.client.getBlockNumber()) - block - 2n)
    await expectOk()
  })

  test('adds up from where the last look ended, to what adding up everything comes to', async () => {
    const since = await expectOk()
    await sql`delete from market.reconciliations`.execute(books.world.db)
    const whole = await expectOk()
    expect(whole.figures).to.deep.equal(since.figures)
    expect(whole.below).to.deep.equal((await expectOk()).below)
  })

  test('goes on after a restart of the database, reading no entry that it summed before', async () => {
    const before = await expectOk()
    // As after a restart: the comparison is of another epoch.
    await books.amend({ database_epoch: 'an earlier one' })
    const change = (by: number) => sql`
      update ledger.entries set amount = amount + ${by} where id = (
        select max(entry.id) from ledger.entries entry join ledger.accounts account on account.id = entry.account_id
        where account.kind = 'escrow_contract')`
    await unguarded(books.world, change(1))
    const after = await books.sweep()
    expect(after.figures.booked).to.deep.equal(before.figures.booked)
    expect(after.findings.map(({ code }) => code)).to.deep.equal(['ledger/transfer'])
    // In another epoch of the log its places are others: everything is summed.
    const { log_epoch } = before
    await books.amend({ log_epoch: 'another' })
    const elsewhere = (await books.look()).findings.map(({ code }) => code)
    expect(elsewhere).to.include.members(['ledger/unbalanced', 'escrow/balance'])
    await books.amend({ log_epoch })
    await unguarded(books.world, change(-1))
    expect((await books.sweep()).findings).to.deep.equal([])
  })

  test('goes through all transfers once a minute, and finds what was changed since', async () => {
    const change = () => unguarded(books.world, sql`update ledger.transfers set kind = 'un' || kind where id = 1`)
    const restore = () => unguarded(books.world, sql`update ledger.transfers set kind = substr(kind, 3) where id = 1`)
    const named = ({ findings }: Comparison) => findings.map(({ code, transfer }) => [code, transfer])
    expect((await books.sweep()).findings).to.deep.equal([])
    await change()
    expect(named(await books.look())).to.deep.equal([])
    expect(named(await books.sweep())).to.deep.equal([['ledger/transfer', '1']])
    await restore()
    expect(named(await books.look())).to.deep.equal([])
  })

  describe('names what somebody changed by hand:', () => {
    const contractHold = () => held.id
    const custodyHold = () => `market:order:${deposited.orderId}`
    const balanceOf = (owner: string, change: number) => sql`
      update ledger.accounts set balance = balance + ${change}
      where ledger.owner_name(owner_type, owner_id) = ${owner} and kind in ('hold', 'claimable')`
    const entryOf = (kind: string, owner: string, change: number) => sql`
      update ledger.entries set amount = amount + ${change} where id = (select max(entry.id) from ledger.entries entry
        join ledger.accounts account on account.id = entry.account_id 
        where kind = ${kind} and ledger.owner_name(owner_type, owner_id) = ${owner})`
    const rowOf = (orderId: string, change: number) => sql`
      update market.holds set amount_micros = amount_micros + ${change} where order_id = ${orderId}`
    const address = (name: 'escrow' | 'hotWallet') => books.world.settings.chain[name]
    const corruptions: [string, (change: number) => ReturnType<typeof sql>, () => (readonly [string, string])[]][] = [
      [
        'the balance of a hold in the contract',
        (change) => balanceOf(contractHold(), change),
        () => ['ledger/account', 'hold/order', 'hold/terms'].map((code) => [code, contractHold()] as const),
      ],
      [
        'the balance of a hold in custody',
        (change) => balanceOf(custodyHold(), change),
        () => ['ledger/account', 'hold/order', 'hold/terms'].map((code) => [code, custodyHold()] as const),
      ],
      [
        'what somebody can withdraw',
        (change) => balanceOf(feeRecipient(), change),
        () => ['ledger/account', 'claimable/chain'].map((code) => [code, feeRecipient()] as const),
      ],
      [
        'what an order in the contract holds',
        (change) => rowOf(held.orderId, change),
        () => [['hold/order', contractHold()]],
      ],
      [
        'what a custodied order holds',
        (change) => rowOf(deposited.orderId, change),
        () => [['hold/order', custodyHold()]],
      ],
      [
        'an entry of a hold',
        (change) => entryOf('hold', contractHold(), change),
        () => [
          ['ledger/unbalanced', 'all accounts'],
          ['escrow/owed', address('escrow')],
          ['ledger/account', contractHold()],
          ['ledger/transfer', `funded:${contractHold()}`],
        ],
      ],
      [
        'an entry of what the contract has',
        (change) => entryOf('escrow_contract', address('escrow').toLowerCase(), change),
        () => [
          ['ledger/unbalanced', 'all accounts'],
          ['escrow/balance', address('escrow')],
          ['ledger/transfer', `funded:${last.hold}`],
        ],
      ],
      [
        'an entry of what the hot wallet has',
        (change) => entryOf('hot_wallet', address('hotWallet').toLowerCase(), change),
        () => [
          ['ledger/unbalanced', 'all accounts'],
          ['wallet/balance', address('hotWallet')],
          ['ledger/transfer', last.payment],
        ],
      ],
      [
        'what a payment was verified to be of',
        (change) => sql`update market.processed_chain_events
          set event_arguments = jsonb_set(event_arguments, '{amount}', to_jsonb(((event_arguments->>'amount')::bigint + ${change})::text))
          where key = ${`funded:${contractHold()}`}`,
        () => [['hold/terms', contractHold()]],
      ],
    ]
    for (const [what, corrupt, expected] of corruptions) {
      test(what, async () => {
        await unguarded(books.world, corrupt(1))
        // What was summed before is not read again until something differs.
        expect((await books.sweep()).is_ok).to.equal(false)
        const { findings } = await books.sweep()
        expect(findings.map(({ code, subject }) => [code, subject])).to.have.deep.members([...expected()])
        await unguarded(books.world, corrupt(-1))
        expect((await books.sweep()).findings).to.deep.equal([])
      })
    }

    test('money that was moved from a hold to somebody else, with entries that balance', async () => {
      const thief = newAddress()
      const move = (key: string, amountMicros: bigint) =>
        books.world.run((tx) =>
          post(tx, {
            ...{ key, kind: 'test', orderId: null, asset: assetKey(books.world.settings.chain), evidence: {} },
            legs: [
              { kind: 'hold', owner: { type: 'hold', id: contractHold() }, amountMicros: -amountMicros },
              { kind: 'claimable', owner: { type: 'address', id: thief }, amountMicros },
            ],
          }),
        )
      await move('theft', PRICE)
      expect(await found()).to.have.deep.members([
        ['hold/order', contractHold()],
        ['hold/state', contractHold()],
        ['claimable/chain', thief],
      ])
      await move('remorse', -PRICE)
      await expectOk()
    })

    test('earnings that were moved to another, with entries that balance, or a payout that is of another amount', async () => {
      const { world } = books
      const { trade, receipt } = await paid(books, 'custodied')
      await books.book(receipt)
      await setState(world, trade, 'accepted')
      await world.run((tx) => release(tx, world.settings, trade.orderId, { refundMicros: 0n }))
      await expectOk()
      const [seller, thief] = [trade.seller.humanId, trade.buyer.humanId]
      const move = (key: string, amountMicros: bigint) =>
        world.run((tx) =>
          post(tx, {
            ...{ key, kind: 'test', orderId: null, asset: assetKey(world.settings.chain), evidence: {} },
            legs: [
              { kind: 'payable', owner: { type: 'human', id: seller }, amountMicros: -amountMicros },
              { kind: 'payable', owner: { type: 'human', id: thief }, amountMicros },
            ],
          }),
        )
      await move('earnings', 1n)
      expect(await found()).to.have.deep.members([seller, thief].map((id) => ['payout/owed', `market:human:${id}`]))
      await move('returned earnings', -1n)
      await expectOk()
      const { id } = await world.db
        .selectFrom('market.payouts')
        .select('id')
        .where('order_id', '=', trade.orderId)
        .executeTakeFirstOrThrow()
      const ofAmount = (change: number) =>
        unguarded(
          books.world,
          sql`update market.payouts set amount_micros = amount_micros + ${change} where id = ${id}`,
        )
      const isNamed = async (owner: string) => {
        await ofAmount(-1)
        expect(await found()).to.have.deep.members([
          ['payout/owed', owner],
          ['payout/differs', `market:payout:${id}`],
        ])
        await ofAmount(1)
        await expectOk()
      }
      await isNamed(`market:human:${seller}`)
      expect(await world.run((tx) => submitPayout(tx, world.settings, id))).to.equal(true)
      await expectOk()
      await isNamed(`market:payout:${id}`)
    })

    const feeRecipient = () => books.world.settings.chain.feeRecipient.toLowerCase()
  })

  test('stops payouts for what is missing from the hot wallet, once it is sure, and again for more', async () => {
    const hotWallet = roleAccount(books.chain, 'hotWallet')
    const steal = async (value: bigint) =>
      submitToToken(
        books.chain,
        await signTransfer(books.chain, hotWallet, { to: newAddress(), value, nonce: newHash() }),
      )
    await steal(3n)
    expect(await found()).to.deep.equal([['wallet/balance', hotWallet.address]])
    expect(await stops()).to.deep.equal([])
    for (let look = 0; look < 4; look++) await books.look()
    const first = ['hot_wallet', 'The hot wallet has 0.000003 less than is booked,.']
    expect(await stops()).to.deep.equal([first])
    expect(books.lines.filter(({ msg }) => msg === 'balance below liabilities')).to.have.length(1)
    await steal(2n)
    for (let look = 0; look < 5; look++) await books.look()
    expect(await stops()).to.deep.equal([['hot_wallet', 'The hot wallet has 0.000005 less than is booked,.'], first])
    await mintUsdc(books.chain, hotWallet.address, 5n)
    await expectOk()
  })

  test('money that nobody knows of stops nothing, however little, and is found until it is booked', async () => {
    const stopsBefore = await stops()
    const dust = await transferred(books, books.world.settings.chain.escrow, 1n)
    expect(await found()).to.deep.equal([['escrow/balance', books.world.settings.chain.escrow]])
    for (let look = 0; look < 4; look++) await books.look()
    expect(await stops()).to.deep.equal(stopsBefore)
    expect(books.lines.map(({ msg }) => msg)).to.include('the ledger and the chain differ')
    await books.book(dust)
    await expectOk()
  })

  test('knows what the admin has rescued', async () => {
    await books.book(await rescued(books, newAddress(), 1n))
    await expectOk()
  })

  describe('in the hands of who has the login of the worker, and no key,', () => {
    const hotWallet = () => roleAccount(books.chain, 'hotWallet')
    /** Puts on file, as the worker, a comparison that says what the last one did but for this. */
    const claim = async (changes: Record<string, unknown>) => {
      const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
        where table_schema = 'market' and table_name = 'reconciliations' and column_name <> 'id'`.execute(
        books.world.db,
      )
      const said = { seal: newHash(), ...changes }
      const columns = sql.join(rows.map(({ name }) => sql.ref(name)))
      await sql`insert into market.reconciliations (${columns}) select ${columns} from jsonb_populate_record(
        (select last from market.reconciliations last order by id desc limit 1), ${JSON.stringify(said)}::jsonb)`.execute(
        books.world.serviceDb,
      )
    }
    /** So much less is in the hot wallet, and is there again after the test. */
    const whileMissing = async (test: () => Promise<unknown>) => {
      const signed = { to: newAddress(), value: MISSING, nonce: newHash() }
      await submitToToken(books.chain, await signTransfer(books.chain, hotWallet(), signed))
      try {
        await test()
      } finally {
        await mintUsdc(books.chain, hotWallet().address, MISSING)
      }
      await books.sweep()
      await expectOk()
    }
    const standing = async () => (await books.world.run(listStandingStops)).length
    const stopsThrown = async (looks: number) => {
      const before = await standing()
      for (let look = 0; look < looks; look++) await books.look()
      return (await standing()) - before
    }

    test('a shortage is not known because a row says so: it stops payouts [risk secret-key market-worker]', async () => {
      await claim({ shortages: { hot_wallet: { alarmed: '1000000000', pending: null } } })
      await whileMissing(async () => expect(await stopsThrown(5)).to.equal(1))
    })

    test('nor is it hidden by sums that a row says to go on from', async () => {
      const { below } = await expectOk()
      const hidden = { hot_wallet: `${(below.hot_wallet ?? 0n) + MISSING}`, loss: `${(below.loss ?? 0n) - MISSING}` }
      const sums = Object.fromEntries(Object.entries(below).map(([line, micros]) => [line, `${micros}`]))
      await claim({ below: { ...sums, ...hidden } })
      await whileMissing(async () => expect(await found()).to.deep.equal([['wallet/balance', hotWallet().address]]))
    })

    test('nor is a transfer that names an act which was added up long ago', async () => {
      await expectOk()
      const forge = (key: string, amountMicros: bigint) =>
        books.world.run(async (tx) => {
          await sql`select set_config('market.act', (select min(act) from ledger.transfers)::text, true)`.execute(tx)
          await post(tx, {
            ...{ key, kind: 'test', orderId: null, asset: assetKey(books.world.settings.chain), evidence: {} },
            legs: [
              { kind: 'hot_wallet', owner: { type: 'address', id: hotWallet().address.toLowerCase() }, amountMicros },
              { kind: 'loss', owner: { type: 'event', id: 'outflow:forged' }, amountMicros: -amountMicros },
            ],
          })
        })
      await forge('forged', MISSING)
      expect(await found()).to.deep.include(['wallet/balance', hotWallet().address])
      await forge('forged back', -MISSING)
      await books.sweep()
      await expectOk()
    })

    test('nor is it acknowledged before, by stops that were thrown for blocks to come and lifted', async () => {
      const head = await books.chain.client.getBlockNumber()
      for (let block = head; block < head + 30n; block++)
        await books.world.run((tx) =>
          stopPayouts(tx, { actor: 'service', reason: 'none', fact: `shortfall:hot_wallet:${block}` }),
        )
      await sql`update market.payout_stops set lifted_at = now(), lifted_by = 'owner' where reason = 'none'`.execute(
        books.world.db,
      )
      await whileMissing(async () => expect(await stopsThrown(5)).to.equal(1))
    })

    test('a difference is said, whatever a row says of since when', async () => {
      await claim({ differs_since_head: 1_000_000_000 })
      await whileMissing(async () => {
        for (let look = 0; look < 4; look++) await books.look()
        expect(books.lines.map(({ msg }) => msg)).to.include('the ledger and the chain differ')
      })
    })

    test('the walk over transfers begins again, whatever a row says of when it began', async () => {
      await claim({ swept_at: '3000-01-01' })
      await unguarded(books.world, sql`update ledger.transfers set kind = 'un' || kind where id = 1`)
      const codes = (await books.look()).findings.map(({ code }) => code)
      await unguarded(books.world, sql`update ledger.transfers set kind = substr(kind, 3) where id = 1`)
      expect(codes).to.deep.equal(['ledger/transfer'])
      await expectOk()
    })

    test('a row that nobody can read holds nothing up, and raises an alarm', async () => {
      for (const nonsense of [
        { below: { loss: 'all' } },
        { figures: 'all' },
        { checked_at: 'infinity', swept_at: 'infinity' },
      ]) {
        await claim(nonsense)
        books.lines.length = 0
        await expectOk()
        expect(books.lines.map(({ msg }) => msg)).to.deep.equal(['a comparison on file has an invalid seal'])
      }
    })

    test('an earlier comparison is not put on file again', async () => {
      const { rows } = await sql<{ seal: string }>`select seal from market.reconciliations order by id limit 1`.execute(
        books.world.db,
      )
      expect(await claim({ seal: rows[0]?.seal }).catch((error: unknown) => error)).to.include({ code: '23505' })
    })

    test('what is missing does not show in books that say that it was lost: an audit of the chain names it [risk market-api]', async () => {
      const bookAway = (key: string, amountMicros: bigint) =>
        books.world.run((tx) =>
          post(tx, {
            ...{ key, kind: 'lost', orderId: null, asset: assetKey(books.world.settings.chain), evidence: {} },
            legs: [
              { kind: 'hot_wallet', owner: { type: 'address', id: hotWallet().address.toLowerCase() }, amountMicros },
              { kind: 'loss', owner: { type: 'event', id: 'outflow:made-up' }, amountMicros: -amountMicros },
            ],
          }),
        )
      await whileMissing(async () => {
        await bookAway('outflow:made-up', MISSING)
        await expectOk()
        await bookAway('outflow:made-up again', -MISSING)
      })
    })

    // The last test: only the owner of the database takes such a digest away.
    test('a false digest of a transfer raises an alarm that stays, and hides nothing', async () => {
      await sql`select ledger.record_digests(array[max(id) + 1], array[''::bytea]) from ledger.transfers`.execute(
        books.world.serviceDb,
      )
      for (let look = 0; look < 2; look++)
        expect((await books.sweep()).findings.map(({ code }) => code)).to.deep.equal(['ledger/transfer'])
    })
  })
})
