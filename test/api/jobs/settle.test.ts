import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Problem } from '../../../api/errors.ts'
import { unsettledRows } from '../../../api/jobs/indexRows.ts'
import { submitPayouts } from '../../../api/jobs/payouts.ts'
import { Progress } from '../../../api/jobs/progress.ts'
import type { JobServices } from '../../../api/jobs/services.ts'
import { settle } from '../../../api/jobs/settle.ts'
import { cancelOrder } from '../../../api/orders/cancel.ts'
import { liftStop } from '../../../api/stops/lift.ts'
import { listStopRows } from '../../../api/stops/list.ts'
import { chainSettings } from '../../../cli/services.ts'
import { tokenAbi } from '../../../protocol/abi/token.ts'
import { forkPoint, paymentOf } from '../../chain/forks.ts'
import { startLiar } from '../../chain/liar.ts'
import { startChain, type TestChain } from '../../chain/node.ts'
import {
  freeAccount,
  mineBlocks,
  mined,
  mintUsdc,
  roleAccount,
  signTransfer,
  submitToToken,
} from '../../chain/payments.ts'
import { knowChain } from '../../stack/fence.ts'
import { eventsOf, orderOf, strayOf } from '../escrow/read.ts'
import { newAddress, newHash, newTrade, PRICE, startWorld, type Trade, type World } from '../escrow/world.ts'
import { forgeIndex, indexTo, indexTransfers, type TransferRow, transferRow } from './forgedIndex.ts'

// The index is never behind in these tests, and never so far ahead that the node would seem to stand still.
const AHEAD = 20n

describe('settle, against an index that may say anything', () => {
  let chain: TestChain
  let world: World
  let services: JobServices
  let lines: { alarm?: boolean; key?: string; msg: string }[] = []
  const buyer: PrivateKeyAccount = freeAccount(0)

  before(async () => {
    chain = await startChain()
    await mintUsdc(chain, buyer.address, 1_000_000_000n)
    world = await startWorld(chainSettings(chain))
    await forgeIndex(world.db, chain)
    const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
    services = { db: world.db, rpc: chain.client, settings: world.settings, log }
  })

  beforeEach(async () => {
    lines = []
    await indexTransfers(world.db, [])
    await indexTo(world.db, (await chain.client.getBlockNumber()) + AHEAD)
  })

  after(async () => {
    await world?.stop()
    await chain?.stop()
  })

  // Twice: that the index shows another fork for a moment is nothing to look at yet.
  const pass = async (given = services) => {
    const progress = new Progress()
    await settle(given, progress)
    await settle(given, progress)
  }
  const alarms = () => lines.filter(({ alarm }) => alarm)

  /** An order and its payment, mined; and what an honest index says of it. */
  const paidOnChain = async (): Promise<{ trade: Trade; row: TransferRow }> => {
    const trade = await newTrade(world, 'custodied', { from: buyer.address })
    const { recipient, nonce } = trade.order
    const signed = await signTransfer(chain, buyer, { to: recipient as Address, value: PRICE, nonce: nonce as Hex })
    const receipt = await submitToToken(chain, signed)
    const said = { sender: buyer.address, recipient, amount_micros: PRICE, authorization_nonce: nonce }
    return { trade, row: transferRow(chain, receipt, said) }
  }

  test('acts on what is deep enough, and not a block before', async () => {
    const { trade, row } = await paidOnChain()
    await indexTransfers(world.db, [row])
    const { confirmations } = world.settings.chain
    await mineBlocks(chain, confirmations - 1)
    await pass()
    expect((await orderOf(world, trade)).state).to.equal('placed')
    await mineBlocks(chain, 1)
    await pass()
    expect((await orderOf(world, trade)).state).to.equal('funded')
    expect(alarms()).to.deep.equal([])
  })

  const lies: [string, (row: TransferRow) => Partial<TransferRow>][] = [
    ['another amount', (row) => ({ amount_micros: row.amount_micros + 1n })],
    ['another sender', () => ({ sender: freeAccount(5).address.toLowerCase() })],
    ['another nonce', () => ({ authorization_nonce: `0x${'ab'.repeat(32)}` })],
    ['no nonce', () => ({ authorization_nonce: null })],
    ['a hold behind it', () => ({ hold_id: `0x${'cd'.repeat(32)}` })],
    ['another log', (row) => ({ log_index: row.log_index - 1 })],
    ['a log that is not there', (row) => ({ log_index: row.log_index + 7 })],
    ['another block', (row) => ({ block_number: row.block_number - 1n })],
    ['a block of a fork', () => ({ block_hash: `0x${'ef'.repeat(32)}` })],
    ['a transaction nobody sent', () => ({ transaction_hash: `0x${'12'.repeat(32)}` })],
  ]
  for (const [what, lie] of lies) {
    test(`a row with ${what} is not acted on: it raises an alarm, and the truth still counts`, async () => {
      const { trade, row } = await paidOnChain()
      await mineBlocks(chain, 3)
      await indexTransfers(world.db, [{ ...row, ...lie(row) }])
      const settledBefore = await settledKeys()
      await pass()
      expect((await orderOf(world, trade)).state).to.equal('placed')
      expect(await settledKeys()).to.deep.equal(settledBefore)
      expect(alarms().map(({ msg }) => msg)).to.deep.equal(['the index and the node tell a fact differently'])
      await indexTransfers(world.db, [row])
      await pass()
      expect((await orderOf(world, trade)).state).to.equal('funded')
    })
  }

  /** Orders that are funded, by payments so many blocks apart, and a way to another chain, as high, without them. */
  const fundedApart = async (count: number, blocksApart: number) => {
    const leave = await forkPoint(chain)
    const paid: Awaited<ReturnType<typeof paidOnChain>>[] = []
    while (paid.length < count) {
      paid.push(await paidOnChain())
      await chain.client.mine({ blocks: blocksApart })
    }
    const head = await chain.client.getBlockNumber()
    await indexTo(world.db, head)
    await indexTransfers(
      world.db,
      paid.map(({ row }) => row),
    )
    await pass()
    const trades = paid.map(({ trade }) => trade)
    expect((await Promise.all(trades.map((trade) => orderOf(world, trade)))).map(({ state }) => state)).to.deep.equal(
      Array(count).fill('funded'),
    )
    const goElsewhere = async () => {
      await leave()
      await chain.client.mine({ blocks: Number(head - (await chain.client.getBlockNumber())) + 1 })
      await indexTo(world.db, head + 1n)
      await indexTransfers(world.db, [])
    }
    return { trades, rows: paid.map(({ row }) => row), goElsewhere }
  }
  const suspended = async (trades: readonly Trade[]) =>
    (await Promise.all(trades.map((trade) => orderOf(world, trade)))).map(({ suspended_at }) => suspended_at !== null)

  test('a chain that begins again, as a restarted node’s, suspends whatever was paid on it, however long ago', async () => {
    const { trades, goElsewhere } = await fundedApart(3, 300)
    await goElsewhere()
    await pass()
    expect(await suspended(trades)).to.deep.equal([true, true, true])
  })

  test('two payments that change places in the chain past the depth stay each its own order’s', async () => {
    const trades = [
      await newTrade(world, 'custodied', { from: buyer.address }),
      await newTrade(world, 'custodied', { from: buyer.address }),
    ]
    const payments = await Promise.all(trades.map((trade) => paymentOf(chain, buyer, trade)))
    const leave = await forkPoint(chain)
    const mineAll = async (order: readonly number[]) => {
      const rows: TransferRow[] = []
      for (const index of order) {
        const [trade, payment] = [trades[index], payments[index]]
        if (!trade || !payment) throw new Error('there are two')
        await payment.send()
        await mineBlocks(chain, 1)
        const receipt = await chain.client.getTransactionReceipt({ hash: payment.hash })
        const { recipient, nonce } = trade.order
        const said = { sender: buyer.address, recipient, amount_micros: PRICE, authorization_nonce: nonce }
        rows.push(transferRow(chain, receipt, said))
      }
      await mineBlocks(chain, 3)
      await indexTransfers(world.db, rows)
      await pass()
      return rows
    }
    const first = await mineAll([0, 1])
    await leave()
    const second = await mineAll([1, 0])
    expect(second.map(({ transaction_hash }) => transaction_hash)).to.deep.equal(
      first.map(({ transaction_hash }) => transaction_hash).toReversed(),
    )
    expect(await suspended(trades)).to.deep.equal([false, false])
    const standing = await world.db
      .selectFrom('market.settled_events')
      .select(['tx_hash', 'block_hash'])
      .where(
        'tx_hash',
        'in',
        second.map(({ transaction_hash }) => transaction_hash),
      )
      .execute()
    expect(new Map(standing.map(({ tx_hash, block_hash }) => [tx_hash, block_hash]))).to.deep.equal(
      new Map(second.map(({ transaction_hash, block_hash }) => [transaction_hash, block_hash])),
    )
    const events = await Promise.all(trades.map((trade) => eventsOf(world, trade)))
    expect(events.map((types) => types.filter((type) => type === 'order.funded'))).to.deep.equal([
      ['order.funded'],
      ['order.funded'],
    ])
  })

  test('a receipt of a block that the chain has left lets no payment stand, and takes none back', async () => {
    const { trades, rows, goElsewhere } = await fundedApart(1, 3)
    const [paid] = rows
    const hash = paid?.transaction_hash ?? '0x'
    const receipt = await services.rpc.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    await goElsewhere()
    const stale = await startLiar(chain)
    stale.twist('eth_getTransactionReceipt', () => receipt)
    await pass({ ...services, rpc: stale.client })
    stale.stop()
    expect(await suspended(trades)).to.deep.equal([false])
    expect(alarms().map(({ msg }) => msg)).to.deep.equal(['a fact cannot be rechecked'])
    await pass()
    expect(await suspended(trades)).to.deep.equal([true])
  })

  test('what leaves the hot wallet for no reason stops payouts, until somebody has looked at it', async () => {
    const { trade, row } = await paidOnChain()
    const hotWallet = roleAccount(chain, 'hotWallet')
    const theft = await signTransfer(chain, hotWallet, { to: buyer.address, value: 1n, nonce: `0x${'7e'.repeat(32)}` })
    const receipt = await submitToToken(chain, theft)
    const said = {
      sender: hotWallet.address,
      recipient: buyer.address,
      amount_micros: 1n,
      authorization_nonce: theft.nonce,
    }
    await mineBlocks(chain, 3)
    await indexTransfers(world.db, [row, transferRow(chain, receipt, said)])
    await pass()
    expect(alarms().map(({ msg }) => msg)).to.deep.equal(['a fact cannot be settled'])
    // The buyer's money comes back from the cancelled order, but not while the hot wallet leaks.
    await world.run((tx) => cancelOrder(tx, trade.seller.call, trade.orderId, 'other'))
    await submitPayouts(services)
    expect(await payoutStates()).to.deep.equal(['pending'])
    const [stop] = await world.run((tx) => listStopRows(tx, { before: undefined, limit: 10 }))
    expect(stop).to.include({ raised_by: 'service', fact: `outflow:${theft.nonce}`, lifted_at: null })
    await world.run((tx) => liftStop(tx, 'market:human:1', stop?.id ?? ''))
    await pass()
    await submitPayouts(services)
    expect(await payoutStates()).to.deep.equal(['submitted'])
  })

  test('what leaves the contract without a word of its own stops what the contract is asked for, and no payout', async () => {
    const { escrow } = world.settings.chain
    const { trade, row } = await paidOnChain()
    await mintUsdc(chain, escrow, 3n)
    const receipt = await leak(escrow, buyer.address, 3n)
    const said = { sender: escrow, recipient: buyer.address, amount_micros: 3n, authorization_nonce: null }
    await mineBlocks(chain, 3)
    await indexTransfers(world.db, [row, transferRow(chain, receipt, said)])
    await pass()
    expect(alarms().map(({ msg }) => msg)).to.deep.equal(['a fact cannot be settled'])
    const [stop] = await world.run((tx) => listStopRows(tx, { before: undefined, limit: 10 }))
    expect(stop).to.include({ place: 'escrow', fact: `leak:${receipt.transactionHash}:0`, lifted_at: null })
    await world.run((tx) => cancelOrder(tx, trade.seller.call, trade.orderId, 'other'))
    await submitPayouts(services)
    expect((await payoutStates()).at(-1)).to.equal('submitted')
  })

  /** As if the contract had a fault. */
  const leak = async (address: Address, to: Address, amountMicros: bigint) => {
    await chain.client.impersonateAccount({ address })
    await chain.client.setBalance({ address, value: 10n ** 18n })
    const transfer = {
      address: chain.token,
      abi: tokenAbi,
      functionName: 'transfer',
      args: [to, amountMicros],
    } as const
    return mined(chain, chain.client.writeContract({ account: address, ...transfer }))
  }

  describe('in a database that has just started, or is an earlier copy', () => {
    const isFenced = async ({ seller, orderId }: Trade) =>
      world
        .run((tx) => cancelOrder(tx, seller.call, orderId, 'other'))
        .then(
          () => false,
          (error: Problem) => error.problem === 'service/catching-up',
        )
    const fundedTrade = async () => {
      const { trade, row } = await paidOnChain()
      await mineBlocks(chain, 3)
      await indexTransfers(world.db, [row])
      await world.db.updateTable('market.chain_progress').set({ incarnation: 'an earlier one' }).execute()
      return trade
    }
    after(() => knowChain(world.db))

    test('no money is moved until the chain has been read', async () => {
      const trade = await fundedTrade()
      const progress = new Progress()
      await indexTo(world.db, 1n)
      await settle(services, progress)
      expect((await orderOf(world, trade)).state).to.equal('funded')
      expect(await isFenced(trade)).to.equal(true)
      await indexTo(world.db, (await chain.client.getBlockNumber()) + AHEAD)
      await settle(services, progress)
      expect(await isFenced(trade)).to.equal(false)
    })

    test('nor while a payout of the last blocks is not deep enough to be acted on', async () => {
      const trade = await fundedTrade()
      const payout = { to: buyer.address, value: 1n, nonce: newHash() }
      await submitToToken(chain, await signTransfer(chain, roleAccount(chain, 'hotWallet'), payout))
      const progress = new Progress()
      await settle(services, progress)
      expect(await isFenced(trade)).to.equal(true)
      await mineBlocks(chain, world.settings.chain.confirmations)
      await settle(services, progress)
      expect(await isFenced(trade)).to.equal(false)
    })

    test('a worker that knew the chain knows nothing of it any more', async () => {
      const trade = await fundedTrade()
      const progress = new Progress()
      progress.live('an earlier one', 1n)
      progress.end({ to: await chain.client.getBlockNumber(), isSweep: true, isWhole: true })
      await indexTo(world.db, 1n)
      await settle(services, progress)
      expect(progress.isCaughtUp).to.equal(false)
      expect(await isFenced(trade)).to.equal(true)
    })
  })

  const payoutStates = async () => {
    const { rows } = await sql<{ state: string }>`select state from market.payouts order by id`.execute(world.db)
    return rows.map(({ state }) => state)
  }

  const settledKeys = async () => {
    const { rows } = await sql<{ key: string }>`select key from market.settled_events order by key`.execute(world.db)
    return rows.map(({ key }) => key)
  }

  test('a self-transfer under an order’s nonce does not make the transfer behind it a payment', async () => {
    const trade = await newTrade(world, 'custodied', { from: buyer.address })
    const { recipient, nonce } = trade.order
    const signed = await signTransfer(chain, buyer, { to: buyer.address, value: PRICE, nonce: nonce as Hex })
    const self = await submitToToken(chain, signed)
    const plain = await mined(
      chain,
      chain.client.writeContract({
        account: buyer,
        address: chain.token,
        abi: tokenAbi,
        functionName: 'transfer',
        args: [recipient as Address, PRICE],
      }),
    )
    await mineBlocks(chain, 3)
    const said = { sender: buyer.address, recipient, amount_micros: PRICE }
    await indexTransfers(world.db, [
      transferRow(chain, self, { ...said, authorization_nonce: nonce }),
      transferRow(chain, plain, { ...said, authorization_nonce: null }),
    ])
    await pass()
    expect((await orderOf(world, trade)).state).to.equal('placed')
    expect((await strayOf(world, `transfer:${plain.transactionHash}:0`))?.status).to.equal('suspense')
    expect(alarms()).to.have.length(1)
  })

  test('what cannot be acted on holds nothing else up, is said once, and is looked at again', async () => {
    const { trade, row } = await paidOnChain()
    await mineBlocks(chain, 3)
    const other = await paidOnChain()
    await mineBlocks(chain, 3)
    await indexTransfers(world.db, [row, other.row])
    // A hold that exists already makes funding impossible.
    await sql`insert into market.holds (id, order_id, status, payer, amount_micros, deposit_nonce, deposit_tx)
      values (gen_random_uuid(), ${trade.orderId}, 'held', '0x', 1, '0x', '0x')`.execute(world.db)
    const progress = new Progress()
    await settle(services, progress)
    await settle(services, progress)
    expect((await orderOf(world, other.trade)).state).to.equal('funded')
    expect((await orderOf(world, trade)).state).to.equal('placed')
    expect(alarms().map(({ msg }) => msg)).to.deep.equal(['a fact cannot be settled'])
    await sql`delete from market.holds where order_id = ${trade.orderId}`.execute(world.db)
    await settle(services, progress)
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })

  test('withdrawals of one account in one transaction are named by their order in it', async () => {
    const [account, other, txHash] = [newAddress(), newAddress(), newHash()]
    const rows = [
      { account, log_index: 9 },
      { account, log_index: 3 },
      { account: other, log_index: 4 },
    ]
    for (const { account: of, log_index: at } of rows) {
      await sql`insert into chain.withdrawals values
        (${of}, ${of}, 5, ${chain.chainId}, 1, ${newHash()}, ${txHash}, ${at})`.execute(world.db)
    }
    const found = { from: 1n, to: 1n, after: undefined, limit: 9 }
    const keys = (await unsettledRows(world.db, world.settings.chain, found)).map(({ key }) => key)
    await sql`delete from chain.withdrawals`.execute(world.db)
    const names = [`${account}:${txHash}:0`, `${other}:${txHash}:0`, `${account}:${txHash}:1`]
    expect(keys).to.deep.equal(names.map((name) => `withdrawn:${name}`))
  })

  test('rows that go and come again change nothing, and those that come late are found', async () => {
    const early = await paidOnChain()
    const late = await paidOnChain()
    await mineBlocks(chain, 3)
    const progress = new Progress()
    await indexTransfers(world.db, [late.row])
    await settle(services, progress)
    await indexTransfers(world.db, [])
    await settle(services, progress)
    expect((await orderOf(world, late.trade)).state).to.equal('funded')
    expect((await orderOf(world, early.trade)).state).to.equal('placed')
    await indexTransfers(world.db, [early.row, late.row])
    await settle(services, progress)
    expect((await orderOf(world, early.trade)).state).to.equal('funded')
    expect(alarms()).to.deep.equal([])
  })

  test('what one pass finds is acted on together, in the order of the chain', async () => {
    const trades = [await paidOnChain(), await paidOnChain(), await paidOnChain()]
    await mineBlocks(chain, 3)
    await indexTransfers(world.db, trades.map(({ row }) => row).reverse())
    await pass()
    const ids = trades.map(({ trade }) => trade.orderId)
    const { rows: funded } = await sql<{ id: string; transactions: number }>`
      select split_part(entry.subject, ':', 3) as id,
        (count(*) over (partition by entry.transaction_id))::integer as transactions
      from market.audit_log entry where action = 'order.funded' and split_part(entry.subject, ':', 3) = any(${ids})
      order by entry.id`.execute(world.db)
    expect(funded).to.deep.equal(ids.map((id) => ({ id, transactions: 3 })))
    const { rows: booked } = await sql`
      select transfer.order_id as id, sum(entry.amount) filter (where account.kind = 'hold') as held,
        (select count(*)::integer from market.events told
          where told.transaction_id = transfer.transaction_id and told.payload->>'order_urn' like '%' || transfer.order_id
            and told.event_type = 'order.funded') as told
      from ledger.transfers transfer join ledger.entries entry on entry.transfer_id = transfer.id
      join ledger.accounts account on account.id = entry.account_id
      where transfer.order_id = any(${ids}::uuid[]) group by transfer.id order by transfer.id`.execute(world.db)
    expect(booked).to.deep.equal(ids.map((id) => ({ id, held: PRICE.toString(), told: 1 })))
  })

  test('any number of workers at once act once', async () => {
    const trades = [await paidOnChain(), await paidOnChain(), await paidOnChain()]
    await mineBlocks(chain, 3)
    await indexTransfers(
      world.db,
      trades.map(({ row }) => row),
    )
    await Promise.all([pass(), pass(), pass(), pass()])
    for (const { trade } of trades) expect((await orderOf(world, trade)).state).to.equal('funded')
    expect(lines.filter(({ msg }) => msg === 'settled')).to.have.length(trades.length)
    expect(alarms()).to.deep.equal([])
  })

  test('has caught up only once the index has come to the head, and the node agrees with it', async () => {
    const { row } = await paidOnChain()
    await mineBlocks(chain, 3)
    const progress = new Progress()
    await indexTo(world.db, row.block_number - 1n)
    await settle(services, progress)
    expect(progress.isCaughtUp).to.equal(false)
    await indexTo(world.db, await chain.client.getBlockNumber())
    await indexTransfers(world.db, [{ ...row, amount_micros: 1n }])
    await settle(services, progress)
    expect(progress.isCaughtUp).to.equal(false)
    await indexTransfers(world.db, [row])
    await settle(services, progress)
    expect(progress.isCaughtUp).to.equal(true)
  })

  test('an index that is being built again, or is not there at all, says nothing', async () => {
    const { trade, row } = await paidOnChain()
    await mineBlocks(chain, 3)
    await indexTransfers(world.db, [row])
    await sql`update chain._ponder_meta set value = '{"is_ready": 0}'`.execute(world.db)
    await pass()
    expect((await orderOf(world, trade)).state).to.equal('placed')
    await sql`alter schema chain rename to away`.execute(world.db)
    await pass()
    await sql`alter schema away rename to chain`.execute(world.db)
    await sql`update chain._ponder_meta set value = '{"is_ready": 1}'`.execute(world.db)
    await pass()
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })
})
