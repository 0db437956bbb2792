import { before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { IndexDb, IndexTx } from '../../../api/platform/db/pool.ts'
import { eventsOf, orderOf } from '../../kit/api/payments/escrow/read.ts'
import { newTrade, type Trade } from '../../kit/api/payments/escrow/world.ts'
import { forkPoint, paymentOf, type Resendable } from '../../kit/chain/forks.ts'
import type { ChainMarket } from '../../kit/chain/market.ts'
import { freeAccount, mineBlocks } from '../../kit/chain/payments.ts'
import { untilOutput } from '../../kit/indexer/indexer.ts'
import { until } from '../../kit/until.ts'

const MODES = ['contract', 'custodied'] as const
const PAYMENTS = 24
const PAYMENTS_A_BLOCK = 2
const often = { pollMs: 5 }
/** Ponder takes a block for final when sixty have come after it, or thirty. */
export const BEYOND_FINALITY = 100

/** What becomes of orders while the index is killed and built again. */
export function rebuilds(marketOf: () => ChainMarket): void {
  describe('orders while the index dies and is built again', () => {
    let market: ChainMarket
    const buyer = freeAccount(0)

    before(() => {
      market = marketOf()
    })

    beforeEach(() => market.forget())

    const mine = (blocks: number) => mineBlocks(market.chain, blocks)
    const deep = () => mine(1 + market.world.settings.chain.confirmations)
    const indexedPayments = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from chain.token_transfers`.execute(
        market.index,
      )
      return rows[0]?.count ?? 0
    }
    const manyTrades = async () => {
      const trades: Trade[] = []
      for (let index = 0; index < PAYMENTS; index++)
        trades.push(await newTrade(market.world, MODES[index % 2] ?? 'custodied', { from: buyer.address }))
      const payments: Resendable[] = []
      for (const trade of trades) payments.push(await paymentOf(market.chain, buyer, trade))
      return { trades, payments }
    }
    const mineAll = async (payments: readonly Resendable[]) => {
      for (const [index, { send }] of payments.entries()) {
        await send()
        if (index % PAYMENTS_A_BLOCK === PAYMENTS_A_BLOCK - 1) await mine(1)
      }
    }
    const expectEachFundedOnce = async (trades: readonly Trade[]) => {
      for (const trade of trades) {
        const fundings = (await eventsOf(market.world, trade)).filter((type) => type === 'order.funded')
        expect(fundings).to.have.length(1)
        expect((await orderOf(market.world, trade)).suspended_at).to.equal(null)
      }
      const nonces = trades.map(({ order }) => order.nonce)
      const strays = market.world.db.selectFrom('market.unmatched_payments').select('key').where('nonce', 'in', nonces)
      expect(await strays.execute()).to.deep.equal([])
      expect(market.alarms()).to.deep.equal([])
    }

    test('killed in the middle of a burst, it goes on, and each order is funded once', async () => {
      const { trades, payments } = await manyTrades()
      const before = await indexedPayments()
      const mined = mineAll(payments)
      await until('some of it is indexed', indexedPayments, (count) => count !== before, often)
      await market.killIndexer()
      await mined
      expect(await indexedPayments()).to.be.lessThan(before + PAYMENTS)
      await deep()
      await market.pass()
      await market.startIndexer()
      await market.pass()
      await market.follow()
      await expectEachFundedOnce(trades)
    })

    test('built again from the first block while orders are live, it changes nothing, and new payments count', async () => {
      const { trades, payments } = await manyTrades()
      const [early, late] = [trades.slice(0, PAYMENTS / 2), trades.slice(PAYMENTS / 2)]
      await mineAll(payments.slice(0, early.length))
      await deep()
      await market.follow()
      await market.killIndexer()
      await dropIndex(market)
      await market.pass()
      await mineAll(payments.slice(early.length))
      await deep()
      const started = market.startIndexer()
      await market.pass()
      await started
      await market.pass()
      await market.follow()
      await expectEachFundedOnce([...early, ...late])
    })

    test('away while the chain went to another fork, it comes back to that one', async () => {
      const { trades, payments } = await manyTrades()
      const goBack = await forkPoint(market.chain)
      await mineAll(payments)
      await market.untilIndexed()
      await market.killIndexer()
      await goBack()
      await mine(1)
      // In another order: every place is another.
      await mineAll(payments.toReversed())
      await deep()
      await market.startIndexer()
      await market.follow()
      await expectEachFundedOnce(trades)
    })

    test('built again by itself where it missed what the chain did, and the order is funded once', async () => {
      const trade = await newTrade(market.world, 'custodied', { from: buyer.address })
      const payment = await paymentOf(market.chain, buyer, trade)
      await until(
        'a block is final',
        () => finalBlock(market.index),
        (block) => block > 0n,
        often,
      )
      await payment.send()
      await mine(1)
      await market.untilIndexed()
      await missPayment(market, payment.authorization.nonce)
      await mine(BEYOND_FINALITY)
      await market.follow()
      expect((await orderOf(market.world, trade)).state).to.equal('placed')
      await untilOutput(market.indexer, 'the index is not what the chain shows')
      await market.killIndexer()
      await market.startIndexer()
      await market.follow()
      await expectEachFundedOnce([trade])
    })

    test('built again by itself where the chain left what it took for final, and each order is acted on once [risk index-rebuild]', async () => {
      const [stays, goes, comes] = await Promise.all(
        MODES.concat('contract').map((mode) => newTrade(market.world, mode, { from: buyer.address })),
      )
      if (!stays || !goes || !comes) throw new Error('three trades were to be made')
      const payments: Resendable[] = []
      for (const trade of [stays, goes, comes]) payments.push(await paymentOf(market.chain, buyer, trade))
      const fork = await market.chain.client.getBlockNumber()
      const goBack = await forkPoint(market.chain)
      await mineAll(payments.slice(0, 2))
      await mine(BEYOND_FINALITY)
      await market.follow()
      await until(
        'the fork is final',
        () => finalBlock(market.index),
        (block) => block > fork + 1n,
        often,
      )

      await goBack()
      await mine(1)
      await payments[2]?.send()
      await payments[0]?.send()
      // Higher than before: what was acted on is missed only where the chain has come again.
      await mine(BEYOND_FINALITY + 2)
      await untilOutput(market.indexer, 'the chain left what was final')
      await market.killIndexer()
      await market.startIndexer()
      await market.follow()

      const fundings = async (trade: Trade) => {
        const events = await eventsOf(market.world, trade)
        return [
          events.filter((type) => type === 'order.funded').length,
          (await orderOf(market.world, trade)).suspended_at,
        ]
      }
      expect(await fundings(stays)).to.deep.equal([1, null])
      expect(await fundings(comes)).to.deep.equal([1, null])
      const [times, suspendedAt] = await fundings(goes)
      expect(times).to.equal(1)
      expect(suspendedAt).to.be.instanceOf(Date)
      expect(market.alarms()).to.include.members([
        'the chain removed an event that was acted on',
        'a confirmed chain event moved to another block',
      ])
    })

    test('started again by itself where it stands still before a chain that left what it took for final', async () => {
      const trade = await newTrade(market.world, 'custodied', { from: buyer.address })
      const payment = await paymentOf(market.chain, buyer, trade)
      const goBack = await forkPoint(market.chain)
      const fork = await market.chain.client.getBlockNumber()
      const noted = await market.index.transaction().execute(async (tx) => {
        // Until this ends nobody notes what is final: the chain is another before they have.
        await sql`lock table indexer_final.compared in access exclusive mode`.execute(tx)
        await mine(BEYOND_FINALITY)
        await market.untilIndexed()
        await until(
          'the fork is final',
          () => finalForPonder(market.index),
          (block) => block > fork,
          often,
        )
        await goBack()
        // Nothing that is indexed is in any block up to there, on either of the two chains.
        await mine(BEYOND_FINALITY + 2)
        return finalBlock(tx)
      })
      expect(noted <= fork).to.equal(true)
      await payment.send()
      await deep()
      await untilOutput(market.indexer, 'the index stands still')
      await market.killIndexer()
      await market.startIndexer()
      await market.follow()
      await expectEachFundedOnce([trade])
    })
  })
}

/** What Ponder takes for final, which nobody may have noted yet. */
async function finalForPonder(db: IndexDb): Promise<bigint> {
  const { rows } = await sql<{ number: bigint }>`
    select substring(finalized_checkpoint, 27, 16)::bigint as number from chain._ponder_checkpoint`.execute(db)
  return rows[0]?.number ?? 0n
}

/** The block up to which the index is final, as it noted it; none at first. */
export async function finalBlock(db: IndexDb | IndexTx): Promise<bigint> {
  const { rows } = await sql<{ number: bigint }>`select number from indexer_final.compared`.execute(db)
  return rows[0]?.number ?? 0n
}

/** As if a node behind the address had answered before it had the logs of the block. */
async function missPayment({ index }: ChainMarket, nonce: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where starts_with(nspname, 'indexer_3')`.execute(index)
  await index.transaction().execute(async (tx) => {
    // Past Ponder's triggers, which count on tables of its own session.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const { name } of rows) {
      await sql`delete from ${sql.id(name, 'token_transfers')} where authorization_nonce = ${nonce}`.execute(tx)
    }
  })
}

/** Everything the indexer ever wrote. */
async function dropIndex({ index }: ChainMarket): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace
    where nspname in ('chain', 'ponder_sync') or starts_with(nspname, 'indexer_')`.execute(index)
  for (const { name } of rows) await sql`drop schema ${sql.id(name)} cascade`.execute(index)
}
