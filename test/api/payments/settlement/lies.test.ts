import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { indexTransfers, type TransferRow, transferRow } from '../../../kit/api/payments/chain/forgedIndex.ts'
import { orderOf, strayOf } from '../../../kit/api/payments/escrow/read.ts'
import { newTrade, PRICE, type World } from '../../../kit/api/payments/escrow/world.ts'
import { buyer, type ForgedMarket, paid, startForgedMarket } from '../../../kit/api/payments/settlement/market.ts'
import type { TestChain } from '../../../kit/chain/node.ts'
import { freeAccount, mineBlocks, signTransfer, submitToToken, transferUnsigned } from '../../../kit/chain/payments.ts'

describe('settle, against an index that may say anything', () => {
  let market: ForgedMarket
  let chain: TestChain
  let world: World

  before(async () => {
    market = await startForgedMarket()
    ;({ chain, world } = market)
  })

  beforeEach(() => market.reset())

  after(() => market?.stop())

  const settledKeys = async () => {
    const { rows } = await sql<{ key: string }>`select key from market.processed_chain_events order by key`.execute(
      world.db,
    )
    return rows.map(({ key }) => key)
  }

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
    test(`a row with ${what} is not acted on: it raises an alarm, and the truth still counts [risk market-indexer false-logs]`, async () => {
      const { trade, row } = await paid(market)
      await mineBlocks(chain, 3)
      await indexTransfers(market.index, [{ ...row, ...lie(row) }])
      const settledBefore = await settledKeys()
      await market.pass()
      expect((await orderOf(world, trade)).state).to.equal('placed')
      expect(await settledKeys()).to.deep.equal(settledBefore)
      expect(market.alarms()).to.deep.equal(['the index and the node disagree on a chain event'])
      await indexTransfers(market.index, [row])
      await market.pass()
      expect((await orderOf(world, trade)).state).to.equal('funded')
    })
  }

  test('a self-transfer under an order’s nonce does not make the transfer behind it a payment', async () => {
    const trade = await newTrade(world, 'custodied', { from: buyer.address })
    const { recipient, nonce } = trade.order
    const signed = await signTransfer(chain, buyer, { to: buyer.address, value: PRICE, nonce: nonce as Hex })
    const self = await submitToToken(chain, signed)
    const plain = await transferUnsigned(chain, buyer.address, recipient as Address, PRICE)
    await mineBlocks(chain, 3)
    const said = { sender: buyer.address, recipient, amount_micros: PRICE }
    await indexTransfers(market.index, [
      transferRow(chain, self, { ...said, authorization_nonce: nonce }),
      transferRow(chain, plain, { ...said, authorization_nonce: null }),
    ])
    await market.pass()
    expect((await orderOf(world, trade)).state).to.equal('placed')
    expect((await strayOf(world, `transfer:${plain.transactionHash}:0`))?.status).to.equal('suspense')
    expect(market.alarms()).to.have.length(1)
  })
})
