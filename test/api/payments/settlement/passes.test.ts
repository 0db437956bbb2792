import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { readIndexed } from '../../../../api/payments/chain/indexRows.ts'
import { Progress } from '../../../../api/payments/chain/progress.ts'
import { settle } from '../../../../api/payments/settlement/settle.ts'
import type { IndexedServices } from '../../../../api/platform/jobs/services.ts'
import { indexTo, indexTransfers } from '../../../kit/api/payments/chain/forgedIndex.ts'
import { orderOf } from '../../../kit/api/payments/escrow/read.ts'
import { newAddress, newHash, PRICE, type World } from '../../../kit/api/payments/escrow/world.ts'
import {
  buyer,
  type ForgedMarket,
  paid,
  paymentRow,
  startForgedMarket,
} from '../../../kit/api/payments/settlement/market.ts'
import type { TestChain } from '../../../kit/chain/node.ts'
import { freeAccount, mineBlocks, mintUsdc, signTransfer, submitToToken } from '../../../kit/chain/payments.ts'

describe('a pass of settle over what the index shows', () => {
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

  test('acts on what is deep enough, and not a block before', async () => {
    const { trade, row } = await paid(market)
    await indexTransfers(market.index, [row])
    const { confirmations } = world.settings.chain
    await mineBlocks(chain, confirmations - 1)
    await market.pass()
    expect((await orderOf(world, trade)).state).to.equal('placed')
    await mineBlocks(chain, 1)
    await market.pass()
    expect((await orderOf(world, trade)).state).to.equal('funded')
    expect(market.alarms()).to.deep.equal([])
  })

  test('what cannot be acted on holds nothing else up, is said once, and is looked at again', async () => {
    const { trade, row } = await paid(market)
    await mineBlocks(chain, 3)
    const other = await paid(market)
    await mineBlocks(chain, 3)
    await indexTransfers(market.index, [row, other.row])
    // A hold that exists already makes funding impossible.
    await sql`insert into market.holds (id, order_id, status, payer, amount_micros, deposit_nonce, deposit_tx)
      values (gen_random_uuid(), ${trade.orderId}, 'held', '0x', 1, '0x', '0x')`.execute(world.db)
    const progress = new Progress()
    await settle(services, progress)
    await settle(services, progress)
    expect((await orderOf(world, other.trade)).state).to.equal('funded')
    expect((await orderOf(world, trade)).state).to.equal('placed')
    expect(market.alarms()).to.deep.equal(['a chain event cannot be processed'])
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
        (${of}, ${of}, 5, ${chain.chainId}, 1, ${newHash()}, ${txHash}, ${at})`.execute(market.index)
    }
    const found = await readIndexed(services, { from: 1n, to: 1n })
    const keys = found?.rows.map(({ key }) => key)
    await sql`delete from chain.withdrawals`.execute(market.index)
    const names = [`${account}:${txHash}:0`, `${other}:${txHash}:0`, `${account}:${txHash}:1`]
    expect(keys).to.deep.equal(names.map((name) => `withdrawn:${name}`))
  })

  test('rows that go and come again change nothing, and those that come late are found', async () => {
    const early = await paid(market)
    const late = await paid(market)
    await mineBlocks(chain, 3)
    const progress = new Progress()
    await indexTransfers(market.index, [late.row])
    await settle(services, progress)
    await indexTransfers(market.index, [])
    await settle(services, progress)
    expect((await orderOf(world, late.trade)).state).to.equal('funded')
    expect((await orderOf(world, early.trade)).state).to.equal('placed')
    await indexTransfers(market.index, [early.row, late.row])
    await settle(services, progress)
    expect((await orderOf(world, early.trade)).state).to.equal('funded')
    expect(market.alarms()).to.deep.equal([])
  })

  test('what one pass finds is processed in lanes, each fact in a transaction of its own, those of an order in the order of the chain', async () => {
    const trades = [await paid(market), await paid(market), await paid(market)]
    const first = trades[0]?.trade
    if (!first) throw new Error('there is no trade')
    // A second payment of the same order, from another wallet of its buyer: the first funds it, and this one
    // goes back.
    const second = freeAccount(2)
    await mintUsdc(chain, second.address, PRICE)
    const wallet = { address: second.address.toLowerCase(), owner_id: first.buyer.humanId }
    await world.db.insertInto('market.wallet_owners').values(wallet).execute()
    const signed = await signTransfer(chain, second, {
      ...{ to: first.order.recipient as Address, value: PRICE, nonce: first.order.nonce as Hex },
    })
    const again = {
      ...paymentRow(chain, first, await submitToToken(chain, signed)),
      sender: second.address.toLowerCase(),
    }
    await mineBlocks(chain, 3)
    await indexTransfers(market.index, [...trades.map(({ row }) => row), again].reverse())
    await market.pass()
    expect(market.alarms()).to.deep.equal([])
    const ids = trades.map(({ trade }) => trade.orderId)
    const { rows: funded } = await sql<{ id: string; transactions: number }>`
      select split_part(entry.subject, ':', 3) as id,
        (count(*) over (partition by entry.xmin::text))::integer as transactions
      from market.audit_log entry where action = 'order.funded' and split_part(entry.subject, ':', 3) = any(${ids})
      order by array_position(${ids}, split_part(entry.subject, ':', 3))`.execute(world.db)
    expect(funded).to.deep.equal(ids.map((id) => ({ id, transactions: 1 })))
    const { rows: holds } = await sql<{ payer: string }>`
      select payer from market.holds where order_id = ${first.orderId}`.execute(world.db)
    expect(holds).to.deep.equal([{ payer: buyer.address.toLowerCase() }])
    const { rows: returned } = await sql<{ payer: string }>`
      select payer from market.unmatched_payments where payer = ${second.address.toLowerCase()}`.execute(world.db)
    expect(returned).to.have.length(1)
  })

  test('any number of workers at once act once', async () => {
    const trades = [await paid(market), await paid(market), await paid(market)]
    await mineBlocks(chain, 3)
    await indexTransfers(
      market.index,
      trades.map(({ row }) => row),
    )
    await Promise.all([market.pass(), market.pass(), market.pass(), market.pass()])
    for (const { trade } of trades) expect((await orderOf(world, trade)).state).to.equal('funded')
    expect(market.lines.filter(({ msg }) => msg === 'settled')).to.have.length(trades.length)
    expect(market.alarms()).to.deep.equal([])
  })

  test('has caught up only once the index has come to the head, and the node agrees with it', async () => {
    const { row } = await paid(market)
    await mineBlocks(chain, 3)
    const progress = new Progress()
    await indexTo(market.index, row.block_number - 1n)
    await settle(services, progress)
    expect(progress.isCaughtUp).to.equal(false)
    await indexTo(market.index, await chain.client.getBlockNumber())
    await indexTransfers(market.index, [{ ...row, amount_micros: 1n }])
    await settle(services, progress)
    expect(progress.isCaughtUp).to.equal(false)
    await indexTransfers(market.index, [row])
    await settle(services, progress)
    expect(progress.isCaughtUp).to.equal(true)
  })

  test('has not caught up while the node denies an event, however many of the events after it are confirmed', async () => {
    const { trade, row } = await paid(market)
    await mineBlocks(chain, 3)
    // As many as are verified at once, all in the blocks before the payment.
    const denied = Array.from({ length: 200 }, () => ({
      ...row,
      ...{ block_number: row.block_number - 1n, block_hash: newHash() },
      ...{ transaction_hash: newHash(), authorization_nonce: newHash() },
    }))
    await indexTransfers(market.index, [...denied, row])
    const progress = new Progress()
    await settle(services, progress)
    expect((await orderOf(world, trade)).state).to.equal('funded')
    expect(progress.isCaughtUp).to.equal(false)
    await indexTransfers(market.index, [row])
    await settle(services, progress)
    expect(progress.isCaughtUp).to.equal(true)
  })

  test('an index that is being built again, or is not there at all, says nothing', async () => {
    const { trade, row } = await paid(market)
    await mineBlocks(chain, 3)
    await indexTransfers(market.index, [row])
    await sql`update chain._ponder_meta set value = '{"is_ready": 0}'`.execute(market.index)
    await market.pass()
    expect((await orderOf(world, trade)).state).to.equal('placed')
    await sql`alter schema chain rename to away`.execute(market.index)
    await market.pass()
    await sql`alter schema away rename to chain`.execute(market.index)
    await sql`update chain._ponder_meta set value = '{"is_ready": 1}'`.execute(market.index)
    await market.pass()
    expect((await orderOf(world, trade)).state).to.equal('funded')
  })
})
