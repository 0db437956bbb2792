import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { requestIntent } from '../../../../api/payments/chain/intents.ts'
import { parkPayment } from '../../../../api/payments/escrow/strayPayments.ts'
import { holdTerms } from '../../../../api/payments/escrow/terms.ts'
import { escrowAbi } from '../../../../protocol/generated/escrow.ts'
import { newTrade, PRICE, type Trade } from '../../../kit/api/payments/escrow/world.ts'
import { buyer, type ForgedMarket, startForgedMarket } from '../../../kit/api/payments/settlement/market.ts'
import { mineBlocks, mined, roleAccount, signTransfer, submitToToken } from '../../../kit/chain/payments.ts'

const ALARM = 'the resolver announced an action that this service did not request: its key may be stolen'
const [ADOPT, RETURN] = [1, 2]
const GAS = 300_000n
const payer = buyer.address.toLowerCase() as Address

describe('what the resolver announces for stray payments', () => {
  let market: ForgedMarket

  before(async () => {
    market = await startForgedMarket()
  })
  beforeEach(async () => {
    await market.reset()
    await sql`delete from chain.stray_announcements`.execute(market.index)
  })
  after(() => market?.stop())

  test('an adoption that was requested says until when its payment is being adopted', async () => {
    const trade = await stray()
    await requestAdoption(trade, PRICE)
    const availableAt = await announce(trade, ADOPT)
    await market.pass()
    expect(market.alarms()).to.deep.equal([])
    expect(await adoptableAt(trade)).to.deep.equal(new Date(availableAt * 1000))
    expect(await unrequested(trade)).to.equal(0)
  })

  test('one that nobody requested raises an alarm, once, and is in the audit log', async () => {
    const trade = await stray()
    await announce(trade, ADOPT)
    await market.pass()
    await market.pass()
    expect(market.alarms()).to.deep.equal([ALARM])
    expect(await unrequested(trade)).to.equal(1)
  })

  test('so does a return of another amount than was requested, however large', async () => {
    const trade = await stray()
    const payment = {
      from: buyer.address,
      nonce: trade.order.nonce as Hex,
      amount: PRICE,
      txHash: `0x${'12'.repeat(32)}`,
    }
    const key = `return_stray:payment:${payer}:${trade.order.nonce}`
    await market.world.run((tx) =>
      requestIntent(
        tx,
        { key, orderId: null },
        { kind: 'return_stray', payment: { ...payment, txHash: payment.txHash as Hex } },
      ),
    )
    await announce(trade, RETURN)
    await market.pass()
    expect(market.alarms()).to.deep.equal([])
    await announce(trade, RETURN, 2n ** 256n - 1n)
    await market.pass()
    expect(market.alarms()).to.deep.equal([ALARM])
  })

  /** An order whose payment somebody took to the token. */
  async function stray(): Promise<Trade> {
    const { chain, world } = market
    const trade = await newTrade(world, 'contract', { from: buyer.address })
    const { recipient, nonce } = trade.order
    const signed = await signTransfer(chain, buyer, { to: recipient as Address, value: PRICE, nonce: nonce as Hex })
    const { transactionHash } = await submitToToken(chain, signed)
    await world.run((tx) =>
      parkPayment(
        tx,
        {
          ...({ kind: 'escrow_payment', key: `payment:${payer}:${nonce}`, payer, amountMicros: PRICE } as const),
          ...{ orderId: trade.orderId, nonce: nonce as Hex, txHash: transactionHash },
        },
        'adopting',
      ),
    )
    return trade
  }

  function requestAdoption({ order, orderId }: Trade, amount: bigint): Promise<void> {
    const nonce = order.nonce as Hex
    const payment = { from: buyer.address, nonce, amount, txHash: `0x${'12'.repeat(32)}` as Hex }
    const name = { key: `adopt:${payer}:${nonce}`, orderId }
    return market.world.run((tx) => requestIntent(tx, name, { kind: 'adopt', terms: holdTerms(order), payment }))
  }

  /** The resolver announces it on chain, and the index has it. Answers from when on it can be done. */
  async function announce({ order }: Trade, action: number, amount = PRICE): Promise<number> {
    const { chain, index } = market
    // An announcement in the second of the former one writes fewer words than one a second later: an estimate
    // may be too low.
    const call = { address: chain.escrow, abi: escrowAbi, account: roleAccount(chain, 'resolver'), gas: GAS } as const
    const nonce = order.nonce as Hex
    const sent =
      action === ADOPT
        ? chain.client.writeContract({
            ...call,
            functionName: 'announceAdopt',
            args: [holdTerms(order), buyer.address],
          })
        : chain.client.writeContract({
            ...{ ...call, functionName: 'announceReturnStray', args: [buyer.address, nonce, amount] },
          })
    const { blockNumber, blockHash, transactionHash } = await mined(chain, sent)
    const { timestamp } = await chain.client.getBlock({ blockNumber })
    const availableAt = timestamp + 4n * 86_400n
    await sql`insert into chain.stray_announcements
      (payer, nonce, action, amount, available_at, chain_id, block_number, block_hash, transaction_hash, log_index)
      values (${payer}, ${nonce}, ${action}, ${`${amount}`}::numeric, ${availableAt}, ${chain.chainId}, ${blockNumber},
        ${blockHash}, ${transactionHash}, 0)`.execute(index)
    await mineBlocks(chain, 3)
    return Number(availableAt)
  }

  async function adoptableAt({ order }: Trade): Promise<Date | null | undefined> {
    const row = market.world.db.selectFrom('market.unmatched_payments').select('adoptable_at')
    return (await row.where('nonce', '=', order.nonce).executeTakeFirst())?.adoptable_at
  }

  async function unrequested({ order }: Trade): Promise<number> {
    const { rows } = await sql`select from market.audit_log where action = 'chain.unrequested_announcement'
      and subject = ${`payment:${payer}:${order.nonce}`}`.execute(market.world.db)
    return rows.length
  }
})
