import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import type { Problem } from '../../../../api/errors.ts'
import { Progress } from '../../../../api/payments/chain/progress.ts'
import { settle } from '../../../../api/payments/settlement/settle.ts'
import type { IndexedServices } from '../../../../api/platform/jobs/services.ts'
import { cancelOrder } from '../../../../api/trading/orders/work/cancel.ts'
import { indexTo, indexTransfers } from '../../../kit/api/payments/chain/forgedIndex.ts'
import { orderOf } from '../../../kit/api/payments/escrow/read.ts'
import { newHash, type Trade, type World } from '../../../kit/api/payments/escrow/world.ts'
import {
  AHEAD,
  buyer,
  type ForgedMarket,
  paid,
  startForgedMarket,
} from '../../../kit/api/payments/settlement/market.ts'
import type { TestChain } from '../../../kit/chain/node.ts'
import { mineBlocks, roleAccount, signTransfer, submitToToken } from '../../../kit/chain/payments.ts'

describe('settle, in a database that has just started, or is an earlier copy', () => {
  let market: ForgedMarket
  let chain: TestChain
  let world: World
  let services: IndexedServices

  before(async () => {
    market = await startForgedMarket()
    ;({ chain, world, services } = market)
  })

  beforeEach(() => market.reset())

  after(() => market?.stop())

  const isFenced = async ({ seller, orderId }: Trade) =>
    world
      .run((tx) => cancelOrder(tx, seller.call, orderId, 'other'))
      .then(
        () => false,
        (error: Problem) => error.problem === 'service/catching-up',
      )
  const fundedTrade = async () => {
    const { trade, row } = await paid(market)
    await mineBlocks(chain, 3)
    await indexTransfers(market.index, [row])
    await world.db.updateTable('market.chain_progress').set({ database_epoch: 'an earlier one' }).execute()
    return trade
  }

  test('no money is moved until the chain has been read', async () => {
    const trade = await fundedTrade()
    const progress = new Progress()
    await indexTo(market.index, 1n)
    await settle(services, progress)
    expect((await orderOf(world, trade)).state).to.equal('funded')
    expect(await isFenced(trade)).to.equal(true)
    await indexTo(market.index, (await chain.client.getBlockNumber()) + AHEAD)
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
    progress.enterEpoch('an earlier one', 1n)
    progress.end({ to: await chain.client.getBlockNumber(), isSweep: true, isWhole: true })
    await indexTo(market.index, 1n)
    await settle(services, progress)
    expect(progress.isCaughtUp).to.equal(false)
    expect(await isFenced(trade)).to.equal(true)
  })
})
