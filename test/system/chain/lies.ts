import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Hex, numberToHex } from 'viem'
import { isOutage } from '../../../api/faults.ts'
import { Progress } from '../../../api/payments/chain/progress.ts'
import { settle } from '../../../api/payments/settlement/settle.ts'
import { expireUnpaid } from '../../../api/trading/orders/payment/expireUnpaid.ts'
import { eventsOf, orderOf } from '../../kit/api/payments/escrow/read.ts'
import { newHash, newTrade, PRICE, type Trade } from '../../kit/api/payments/escrow/world.ts'
import { newSubmitter, paymentOf, resendable } from '../../kit/chain/forks.ts'
import type { Liar } from '../../kit/chain/liar.ts'
import type { ChainMarket } from '../../kit/chain/market.ts'
import { freeAccount, mineBlocks, signTransfer } from '../../kit/chain/payments.ts'
import { submission } from '../../kit/chain/sequence.ts'
import { untilOutput } from '../../kit/indexer/indexer.ts'
import { until } from '../../kit/until.ts'
import { BEYOND_FINALITY, finalBlock } from './rebuilds.ts'

const LESS = 7_654_321n
const A_LOT_OF_BLOCKS = 40
// Two minutes in all.
const BLOCK_SECONDS = 3
const SLOW_MS = 100
const DISPUTED = 'the nodes disagree on a chain event'
const DIFFERENT = 'the index and the node disagree on a chain event'
const STANDS_STILL = 'does not follow the chain'

// The index asks one node, the worker another, and where the test says so a third must agree.
/**
 * A market, and the three nodes that tell it of the chain: the index's, the worker's, and the one that
 * vouches.
 */
export interface LiarsScene {
  market: ChainMarket
  indexNode: Liar
  workerNode: Liar
  verifyNode: Liar
}

/** What nodes can do wrong: be slow, fail, stand still and lie. */
export function lies(sceneOf: () => LiarsScene): void {
  describe('orders under nodes that are slow, fail or lie', () => {
    let market: ChainMarket
    let indexNode: Liar
    let workerNode: Liar
    let verifyNode: Liar
    const buyer = freeAccount(0)

    before(() => {
      ;({ market, indexNode, workerNode, verifyNode } = sceneOf())
    })

    beforeEach(() => {
      for (const node of [indexNode, workerNode, verifyNode]) node.beHonest()
      vouchedFor(true)
      market.forget()
    })

    after(() => vouchedFor(false))

    const vouchedFor = (isIt: boolean) => {
      market.services.verifyRpc = isIt ? verifyNode.client : undefined
    }
    const mine = (blocks: number) => mineBlocks(market.chain, blocks)
    const mineLong = () => mineBlocks(market.chain, A_LOT_OF_BLOCKS, BLOCK_SECONDS)
    const deep = () => mine(1 + market.world.settings.chain.confirmations)
    const newOrder = () => newTrade(market.world, 'custodied', { from: buyer.address })
    const stateOf = async (trade: Trade) => (await orderOf(market.world, trade)).state
    const fundings = async (trade: Trade) =>
      (await eventsOf(market.world, trade)).filter((type) => type === 'order.funded')
    /** What somebody is told of this order's payment. */
    const alarmsAbout = ({ order }: Trade) =>
      market.lines.filter(({ alarm, key }) => alarm && key?.includes(order.nonce)).map(({ msg }) => msg)
    const expectFundedOnce = async (trade: Trade) => {
      await market.follow()
      expect(await fundings(trade)).to.have.length(1)
    }

    /** What a liar makes of a payment, and the payment as it is. */
    const told: [string, (trade: Trade) => Promise<{ pay: () => Promise<unknown>; truth: string; lie: string }>][] = [
      [
        'a swapped amount',
        async (trade) => {
          const { send: pay } = await paymentOf(market.chain, buyer, trade, LESS)
          return { pay, truth: word(LESS), lie: word(PRICE) }
        },
      ],
      [
        'an authorization that was never used',
        async ({ order }) => {
          const { chain } = market
          const nonce = newHash()
          const signed = await signTransfer(chain, buyer, { to: order.recipient as Hex, value: PRICE, nonce })
          const { send: pay } = await resendable(chain, await newSubmitter(chain), submission(chain, signed))
          return { pay, truth: nonce.slice(2), lie: order.nonce.slice(2) }
        },
      ],
    ]
    for (const [what, prepare] of told) {
      test(`${what} is not acted on unless every node says so, and raises an alarm [risk node lying-node]`, async () => {
        const trade = await newOrder()
        const { pay, truth, lie } = await prepare(trade)
        indexNode.swap(truth, lie)
        await pay()
        await deep()
        vouchedFor(false)
        await market.follow()
        expect(await stateOf(trade)).to.equal('placed')
        expect(alarmsAbout(trade)).to.deep.equal([DIFFERENT])

        market.forget()
        workerNode.swap(truth, lie)
        vouchedFor(true)
        await market.follow()
        expect(await stateOf(trade)).to.equal('placed')
        expect(alarmsAbout(trade)).to.deep.equal([DISPUTED])

        // The lie is a good one: nothing but the second node stood against it.
        vouchedFor(false)
        await market.follow()
        expect(await stateOf(trade)).to.equal('funded')
      })
    }

    const stand: [string, () => Liar, string][] = [
      ["the worker's node", () => workerNode, 'RPC_URL'],
      ['the node that vouches', () => verifyNode, 'RPC_VERIFY_URL'],
    ]
    for (const [what, node, variable] of stand) {
      test(`while ${what} stands still nothing is acted on, somebody is told, and afterwards it is done once`, async () => {
        const trade = await newOrder()
        const { send } = await paymentOf(market.chain, buyer, trade)
        await node().standStill()
        await send()
        await mineLong()
        await market.follow()
        expect(await stateOf(trade)).to.equal('placed')
        const said = market.lines.filter(({ alarm }) => alarm)
        expect(said.map(({ msg, what: who }) => `${who} ${msg}`)).to.include(`${variable} ${STANDS_STILL}`)
        node().beHonest()
        await expectFundedOnce(trade)
      })
    }

    test('while the index stands still nothing is acted on, somebody is told, and afterwards it is done once', async () => {
      const trade = await newOrder()
      const { send } = await paymentOf(market.chain, buyer, trade)
      await market.untilIndexed()
      await indexNode.standStill()
      await send()
      await mineLong()
      // As it does whenever it starts: it begins behind the chain.
      await settle(market.services, new Progress())
      expect(market.alarms()).to.not.include(STANDS_STILL)
      await market.pass()
      expect(await stateOf(trade)).to.equal('placed')
      expect(market.lines).to.containSubset([{ alarm: true, what: 'the index', msg: STANDS_STILL }])
      indexNode.beHonest()
      await expectFundedOnce(trade)
    })

    test('a node on another fork stops everything and raises an alarm, until it is back', async () => {
      const trade = await newOrder()
      const { send } = await paymentOf(market.chain, buyer, trade)
      await send()
      await deep()
      const head = await market.chain.client.getBlockNumber()
      const top = await market.chain.client.getBlock({ blockNumber: head - 2n })
      verifyNode.swap(top.hash, newHash())
      await market.follow()
      expect(await stateOf(trade)).to.equal('placed')
      expect(market.alarms()).to.include(`the two nodes disagree on block ${top.number}`)
      verifyNode.beHonest()
      await expectFundedOnce(trade)
    })

    test('nodes that are slow and fail delay an order, and it is acted on once', async () => {
      const trade = await newOrder()
      const { send } = await paymentOf(market.chain, buyer, trade)
      indexNode.failEvery(4)
      verifyNode.beSlow(SLOW_MS)
      await send()
      await deep()
      await market.untilIndexed()
      workerNode.failEvery(1)
      expect(await market.pass().catch(isOutage)).to.equal(true)
      expect(await stateOf(trade)).to.equal('placed')
      workerNode.failEvery(3)
      await market.pass()
      await market.pass()
      expect(await fundings(trade)).to.have.length(1)
      expect(alarmsAbout(trade)).to.deep.equal([])
    })

    test('a node that serves another chain is not believed, somebody is told, and afterwards it is done once', async () => {
      const trade = await newOrder()
      const { send } = await paymentOf(market.chain, buyer, trade)
      await send()
      await deep()
      verifyNode.twist('eth_chainId', () => '0x1')
      await market.follow()
      expect(await stateOf(trade)).to.equal('placed')
      expect(market.alarms()).to.deep.equal(['RPC_VERIFY_URL serves chain 1 now, and CHAIN_ID is 31337'])
      verifyNode.beHonest()
      await expectFundedOnce(trade)
    })

    const RECEIPT = 'eth_getTransactionReceipt'
    type Receipt = { logs: Record<string, unknown>[] }
    const changed = (change: object) => (receipt: unknown) => ({ ...(receipt as object), ...change })
    const logsChanged = (change: (logs: Receipt['logs']) => unknown) => (receipt: unknown) => ({
      ...(receipt as Receipt),
      logs: change((receipt as Receipt).logs),
    })
    const nonsense: [string, (node: Liar) => void][] = [
      ['knows no receipt', (node) => node.twist(RECEIPT, () => null)],
      ['has a receipt of a failure', (node) => node.twist(RECEIPT, changed({ status: '0x0' }))],
      [
        'has a receipt in another block [risk orphan-receipt]',
        (node) => node.twist(RECEIPT, changed({ blockHash: newHash() })),
      ],
      ['has a receipt without logs', (node) => node.twist(RECEIPT, changed({ logs: [] }))],
      ['has a receipt whose logs are numbered otherwise', (node) => node.twist(RECEIPT, logsChanged(renumbered))],
      [
        'leaves out the log before the last',
        (node) =>
          node.twist(
            RECEIPT,
            logsChanged((logs) => logs.toSpliced(-2, 1)),
          ),
      ],
      [
        'has the logs of another contract',
        (node) =>
          node.twist(
            RECEIPT,
            logsChanged((logs) => logs.map((log) => ({ ...log, address: buyer.address }))),
          ),
      ],
      [
        'cuts the data off',
        (node) =>
          node.twist(
            RECEIPT,
            logsChanged((logs) => logs.map((log) => ({ ...log, data: '0x' }))),
          ),
      ],
      ['answers nothing', (node) => node.answerAlways('')],
      ['answers what is no JSON', (node) => node.answerAlways('<html>429 Too Many Requests</html>')],
      ['answers null', (node) => node.answerAlways('{"jsonrpc":"2.0","id":1,"result":null}')],
      [
        'answers that it is asked too often',
        (node) => node.answerAlways('{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}'),
      ],
    ]
    for (const [what, talkNonsense] of nonsense) {
      test(`nothing is acted on, and afterwards it is done once, while either node ${what}`, async () => {
        const trade = await newOrder()
        const { send } = await paymentOf(market.chain, buyer, trade)
        await send()
        await deep()
        await market.untilIndexed()
        for (const node of [workerNode, verifyNode]) {
          talkNonsense(node)
          await market.pass().catch(() => {})
          await market.pass().catch(() => {})
          expect(await stateOf(trade)).to.equal('placed')
          node.beHonest()
        }
        await expectFundedOnce(trade)
      })
    }

    test('logs that come twice and out of order are one payment [risk false-logs]', async () => {
      const trade = await newOrder()
      const { send } = await paymentOf(market.chain, buyer, trade)
      const doubled = logsChanged((logs) => [...logs, ...logs].toReversed())
      for (const node of [workerNode, verifyNode]) node.twist(RECEIPT, doubled)
      await send()
      await deep()
      await expectFundedOnce(trade)
      expect(alarmsAbout(trade)).to.deep.equal([])
    })

    const half = (logs: unknown) => (logs as unknown[]).filter((_, place) => place % 2 === 0)

    test('a node that gives the index each log twice does not stop it, and a payment is one payment', async () => {
      const [custodied, held] = [await newOrder(), await newTrade(market.world, 'contract', { from: buyer.address })]
      indexNode.twist('eth_getLogs', (logs) => (logs as unknown[]).flatMap((log) => [log, log]))
      for (const trade of [custodied, held]) await (await paymentOf(market.chain, buyer, trade)).send()
      await deep()
      await expectFundedOnce(custodied)
      await expectFundedOnce(held)
      expect(market.alarms()).to.deep.equal([])
    })

    test('a node that gives the index half of the logs does not stop it: it takes the rest from the receipts', async () => {
      const [custodied, held] = [await newOrder(), await newTrade(market.world, 'contract', { from: buyer.address })]
      indexNode.twist('eth_getLogs', half)
      for (const trade of [custodied, held]) await (await paymentOf(market.chain, buyer, trade)).send()
      await deep()
      await expectFundedOnce(custodied)
      await expectFundedOnce(held)
      expect(market.alarms()).to.deep.equal([])
    })

    test('a node that keeps half of the logs back in every way stops nothing, its block is named, and afterwards it is done once', async () => {
      const [custodied, held] = [await newOrder(), await newTrade(market.world, 'contract', { from: buyer.address })]
      const payments = await Promise.all([custodied, held].map((trade) => paymentOf(market.chain, buyer, trade)))
      const start = await market.chain.client.getBlockNumber()
      await mine(BEYOND_FINALITY)
      await until(
        'a block after the start is final',
        () => finalBlock(market.index),
        (final) => final > start,
      )
      indexNode.halveLogs()
      for (const { send } of payments) await send()
      await deep()
      const paidIn = (await market.chain.client.getTransactionReceipt({ hash: payments[0]?.hash ?? '0x' })).blockNumber
      await market.follow()
      expect(await stateOf(custodied)).to.equal('placed')
      await untilOutput(market.indexer, `"alarm":true,"block":"${paidIn}"`)

      indexNode.beHonest()
      await mine(BEYOND_FINALITY)
      await untilOutput(market.indexer, 'the index is not what the chain shows')
      await market.killIndexer()
      await market.startIndexer()
      await expectFundedOnce(custodied)
      await expectFundedOnce(held)
    })

    test('a node that hides a payment does not have its order expire [risk hidden-logs]', async () => {
      const trade = await newOrder()
      const { send } = await paymentOf(market.chain, buyer, trade)
      await send()
      await deep()
      await market.world.db
        .updateTable('market.orders')
        .set({ valid_before: new Date(0) })
        .where('id', '=', trade.orderId)
        .execute()
      workerNode.hideLogs()
      await expireUnpaid(market.services)
      expect(await stateOf(trade)).to.equal('placed')
      expect(market.alarms()).to.include('item failed')
      // Nor does it alone: its state has the authorization as spent, and its logs do not show by what.
      market.lines.length = 0
      vouchedFor(false)
      await expireUnpaid(market.services)
      expect(await stateOf(trade)).to.equal('placed')
      expect(market.alarms()).to.include('item failed')
      for (const lie of [changed({ blockHash: newHash() }), logsChanged(renumbered)]) {
        market.lines.length = 0
        workerNode.twist(RECEIPT, lie)
        await expireUnpaid(market.services)
        expect(await stateOf(trade)).to.equal('placed')
        expect(market.alarms()).to.include('item failed')
      }
      workerNode.beHonest()
      await expireUnpaid(market.services)
      expect(await stateOf(trade)).to.equal('placed')
      await expectFundedOnce(trade)
    })
  })
}

/** Logs whose places in their block are each one further. */
function renumbered(logs: readonly Record<string, unknown>[]) {
  return logs.map((log) => ({ ...log, logIndex: numberToHex(BigInt(log.logIndex as Hex) + 1n) }))
}

/** A number as it stands in the data of a log. */
function word(value: bigint): string {
  return numberToHex(value, { size: 32 }).slice(2)
}
