import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { submitPayouts } from '../../../../api/payments/payouts/submitPending.ts'
import { liftStop, listStopRows } from '../../../../api/payments/stops/stops.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { cancelOrder } from '../../../../api/trading/orders/work/cancel.ts'
import { indexTransfers, transferRow } from '../../../kit/api/payments/chain/forgedIndex.ts'
import type { World } from '../../../kit/api/payments/escrow/world.ts'
import { buyer, type ForgedMarket, paid, startForgedMarket } from '../../../kit/api/payments/settlement/market.ts'
import type { TestChain } from '../../../kit/chain/node.ts'
import {
  mineBlocks,
  mintUsdc,
  roleAccount,
  signTransfer,
  submitToToken,
  transferUnsigned,
} from '../../../kit/chain/payments.ts'

describe('settle, where money leaves without a reason', () => {
  let market: ForgedMarket
  let chain: TestChain
  let world: World
  let services: JobServices

  before(async () => {
    market = await startForgedMarket()
    ;({ chain, world, services } = market)
  })

  beforeEach(() => market.reset())

  after(() => market?.stop())

  const payoutStates = async () => {
    const { rows } = await sql<{ state: string }>`select state from market.payouts order by id`.execute(world.db)
    return rows.map(({ state }) => state)
  }

  test('what leaves the hot wallet for no reason stops payouts, until somebody has looked at it [risk hot-wallet]', async () => {
    const { trade, row } = await paid(market)
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
    await indexTransfers(market.index, [row, transferRow(chain, receipt, said)])
    await market.pass()
    expect(market.alarms()).to.deep.equal(['a chain event cannot be processed'])
    // The buyer's money comes back from the cancelled order, but not while the hot wallet leaks.
    await world.run((tx) => cancelOrder(tx, trade.seller.call, trade.orderId, 'other'))
    await submitPayouts(services)
    expect(await payoutStates()).to.deep.equal(['pending'])
    const [stop] = await world.run((tx) => listStopRows(tx, { before: undefined, limit: 10 }))
    expect(stop).to.include({ raised_by: 'service', fact: `outflow:${theft.nonce}`, lifted_at: null })
    await world.db.transaction().execute((tx) => liftStop(tx, 'market:human:1', stop?.id ?? ''))
    await market.pass()
    await submitPayouts(services)
    expect(await payoutStates()).to.deep.equal(['submitted'])
  })

  test('what leaves the contract without a word of its own stops what the contract is asked for, and no payout', async () => {
    const { escrow } = world.settings.chain
    const { trade, row } = await paid(market)
    await mintUsdc(chain, escrow, 3n)
    // As if the contract had a fault.
    const receipt = await transferUnsigned(chain, escrow, buyer.address, 3n)
    const said = { sender: escrow, recipient: buyer.address, amount_micros: 3n, authorization_nonce: null }
    await mineBlocks(chain, 3)
    await indexTransfers(market.index, [row, transferRow(chain, receipt, said)])
    await market.pass()
    expect(market.alarms()).to.deep.equal(['a chain event cannot be processed'])
    const [stop] = await world.run((tx) => listStopRows(tx, { before: undefined, limit: 10 }))
    expect(stop).to.include({ place: 'escrow', fact: `leak:${receipt.transactionHash}:0`, lifted_at: null })
    await world.run((tx) => cancelOrder(tx, trade.seller.call, trade.orderId, 'other'))
    await submitPayouts(services)
    expect((await payoutStates()).at(-1)).to.equal('submitted')
  })
})
