import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { numberToHex } from 'viem'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { Progress, processedBlock } from '../../../../api/payments/chain/progress.ts'
import { settle } from '../../../../api/payments/settlement/settle.ts'
import { startRpcProxy } from '../../../e2e/rpcProxy.ts'
import { indexTo, indexTransfers, type TransferRow } from '../../../kit/api/payments/chain/forgedIndex.ts'
import { eventsOf, orderOf } from '../../../kit/api/payments/escrow/read.ts'
import { newTrade, type Trade, type World } from '../../../kit/api/payments/escrow/world.ts'
import {
  buyer,
  type ForgedMarket,
  paid,
  paymentRow,
  startForgedMarket,
} from '../../../kit/api/payments/settlement/market.ts'
import { forkPoint, paymentOf } from '../../../kit/chain/forks.ts'
import { startLiar } from '../../../kit/chain/liar.ts'
import type { TestChain } from '../../../kit/chain/node.ts'
import { mineBlocks } from '../../../kit/chain/payments.ts'

describe('settle, on a chain that leaves what it had confirmed', () => {
  let market: ForgedMarket
  let chain: TestChain
  let world: World

  before(async () => {
    market = await startForgedMarket()
    ;({ chain, world } = market)
  })

  beforeEach(() => market.reset())

  after(() => market?.stop())

  /**
   * Orders that are funded, by payments so many blocks apart, and a way to another chain, as high, without
   * them.
   */
  const fundedApart = async (count: number, blocksApart: number) => {
    const leave = await forkPoint(chain)
    const payments: Awaited<ReturnType<typeof paid>>[] = []
    while (payments.length < count) {
      payments.push(await paid(market))
      await chain.client.mine({ blocks: blocksApart })
    }
    const head = await chain.client.getBlockNumber()
    await indexTo(market.index, head)
    const [trades, rows] = [payments.map(({ trade }) => trade), payments.map(({ row }) => row)]
    await indexTransfers(market.index, rows)
    await market.pass()
    expect((await Promise.all(trades.map((trade) => orderOf(world, trade)))).map(({ state }) => state)).to.deep.equal(
      Array(count).fill('funded'),
    )
    const goElsewhere = async () => {
      await leave()
      await chain.client.mine({ blocks: Number(head - (await chain.client.getBlockNumber())) + 1 })
      await indexTo(market.index, head + 1n)
      await indexTransfers(market.index, [])
    }
    return { trades, rows, goElsewhere }
  }
  const suspended = async (trades: readonly Trade[]) =>
    (await Promise.all(trades.map((trade) => orderOf(world, trade)))).map(({ suspended_at }) => suspended_at !== null)

  test('a chain that begins again, as a restarted node’s, suspends whatever was paid on it, however long ago [risk restarted-chain]', async () => {
    const { trades, goElsewhere } = await fundedApart(3, 300)
    await goElsewhere()
    await market.pass()
    expect(await suspended(trades)).to.deep.equal([true, true, true])
  })

  test('two payments that change places in the chain past the depth stay each its own order’s [risk swapped-payments]', async () => {
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
        rows.push(paymentRow(chain, trade, receipt))
      }
      await mineBlocks(chain, 3)
      await indexTransfers(market.index, rows)
      await market.pass()
      return rows
    }
    const first = await mineAll([0, 1])
    await leave()
    const second = await mineAll([1, 0])
    const hashes = second.map(({ transaction_hash }) => transaction_hash)
    expect(hashes).to.deep.equal(first.map(({ transaction_hash }) => transaction_hash).toReversed())
    expect(await suspended(trades)).to.deep.equal([false, false])
    const standing = await world.db
      .selectFrom('market.processed_chain_events')
      .select(['tx_hash', 'block_hash'])
      .where('tx_hash', 'in', hashes)
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

  test('a payment that is on the new chain, and not deep enough yet, does not stand', async () => {
    const trade = await newTrade(world, 'custodied', { from: buyer.address })
    const payment = await paymentOf(chain, buyer, trade)
    const leave = await forkPoint(chain)
    const mine = async () => {
      await payment.send()
      await mineBlocks(chain, 1)
      return paymentRow(chain, trade, await chain.client.getTransactionReceipt({ hash: payment.hash }))
    }
    await indexTransfers(market.index, [await mine()])
    await mineBlocks(chain, 3)
    await market.pass()
    expect((await orderOf(world, trade)).state).to.equal('funded')
    const head = await chain.client.getBlockNumber()
    await leave()
    await chain.client.mine({ blocks: Number(head - (await chain.client.getBlockNumber())) + 1 })
    const again = await mine()
    await indexTransfers(market.index, [again])
    await market.pass()
    expect(await suspended([trade])).to.deep.equal([true])
    await mineBlocks(chain, 3)
    await indexTransfers(market.index, [again])
    await market.pass()
    expect(await suspended([trade])).to.deep.equal([false])
  })

  test('a block that the chain leaves during a pass does not count as processed', async (t) => {
    await mineBlocks(chain, 3)
    const leave = await forkPoint(chain)
    await mineBlocks(chain, 3)
    const to = (await chain.client.getBlockNumber()) - BigInt(world.settings.chain.confirmations)
    const proxy = await startRpcProxy(chain.rpcUrl)
    t.after(() => proxy.stop())
    let hasLeft = false
    proxy.intercept(async ({ method, params }, forward) => {
      const told = await forward()
      if (hasLeft || method !== 'eth_getBlockByNumber' || params[0] !== numberToHex(to)) return told
      hasLeft = true
      await leave()
      await mineBlocks(chain, 4)
      return told
    })
    const services = { ...market.services, rpc: openRpc(proxy.url) }
    const progress = new Progress()
    const before = await processedBlock(world.db)
    await settle(services, progress)
    expect(hasLeft).to.equal(true)
    expect(await processedBlock(world.db)).to.deep.equal(before)
    await settle(services, progress)
    const { hash } = await chain.client.getBlock({ blockNumber: to + 1n })
    expect(await processedBlock(world.db)).to.deep.equal({ number: to + 1n, hash })
  })

  test('a receipt of a block that the chain has left lets no payment stand, and takes none back [risk orphan-receipt]', async () => {
    const { trades, rows, goElsewhere } = await fundedApart(1, 3)
    const [row] = rows
    const hash = row?.transaction_hash ?? '0x'
    const { services } = market
    const receipt = await services.rpc.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    await goElsewhere()
    const stale = await startLiar(chain)
    stale.twist('eth_getTransactionReceipt', () => receipt)
    await market.pass({ ...services, rpc: stale.client })
    stale.stop()
    expect(await suspended(trades)).to.deep.equal([false])
    expect(market.alarms()).to.include('a chain event cannot be rechecked')
    expect(market.alarms()).to.not.include('the chain removed an event that was acted on')
    await market.pass()
    expect(await suspended(trades)).to.deep.equal([true])
  })
})
