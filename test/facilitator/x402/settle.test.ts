import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { balanceOf } from '../../kit/chain/custody.ts'
import {
  freeAccount,
  mineBlocks,
  mintUsdc,
  newTerms,
  signForCustody,
  signForHold,
  submitToToken,
} from '../../kit/chain/payments.ts'
import {
  type Bench,
  outcomeOf,
  request,
  resumeMining,
  startBench,
  stopMining,
  tamper,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'
import { type OpenDesk, openDesk } from '../../kit/facilitator/x402/desk.ts'
import { until } from '../../kit/until.ts'

const PRICE = 20_000_000n

describe('a settle call', { timeout: 300_000 }, () => {
  let bench: Bench
  let desk: OpenDesk
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

  /** A custodied payment that its order has claimed. */
  const filed = async () => {
    const authorization = await signForCustody(bench.chain, buyer, PRICE)
    return { authorization, intent: await request(bench, { kind: 'deposit', authorization }) }
  }

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
  })

  beforeEach(async () => {
    desk = await openDesk(bench)
  })

  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await desk.stop()
    await resumeMining(bench)
  })

  after(() => bench.stop())

  test('of a payment on file answers with the transaction that moved the money', async () => {
    const { chain } = bench
    const hotWallet = chain.accounts.hotWallet.address
    const before = await balanceOf(chain, hotWallet)
    const { authorization, intent } = await filed()
    const settled = await desk.settle(authorization)
    expect(settled).to.deep.include({ success: true, payer: buyer.address, amount: PRICE.toString() })
    expect(settled.network).to.equal(`eip155:${chain.chainId}`)
    expect(await balanceOf(chain, hotWallet)).to.equal(before + PRICE)
    expect((await outcomeOf(bench, intent)).tx_hash).to.equal(settled.transaction)
  })

  test('again, and at once, tells of the same transaction, and there is one', async () => {
    const { authorization, intent } = await filed()
    const answers = await Promise.all(Array.from({ length: 8 }, () => desk.settle(authorization)))
    answers.push(await desk.settle(authorization))
    expect(new Set(answers.map(({ transaction }) => transaction)).size).to.equal(1)
    expect(answers.every(({ success }) => success)).to.equal(true)
    expect(await transactionsOf(bench, intent)).to.have.length(1)
  })

  test('of a payment into the escrow settles as well', async () => {
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    const authorization = await signForHold(bench.chain, buyer, terms)
    const intent = await request(bench, { kind: 'fund', terms, authorization })
    const settled = await desk.settle(authorization)
    expect(settled.success).to.equal(true)
    expect((await transactionsOf(bench, intent)).map(({ hash }) => hash)).to.deep.equal([settled.transaction])
  })

  test('of a payment that no order has claimed moves nothing [risk x402-secret unclaimed-payment]', async () => {
    const authorization = await signForCustody(bench.chain, buyer, PRICE)
    const before = await balanceOf(bench.chain, buyer.address)
    expect(await desk.settle(authorization)).to.deep.include({ success: false, errorReason: 'payment_not_on_file' })
    expect(await balanceOf(bench.chain, buyer.address)).to.equal(before)
    const { rows } = await bench.client.query('select from facilitator.transactions where raw like $1', [
      `%${authorization.nonce.slice(2)}%`,
    ])
    expect(rows).to.have.length(0)
  })

  test('of one whose order does not want it any more moves nothing', async () => {
    await desk.stop()
    const { authorization, intent } = await filed()
    await bench.client.query(`update market.intents set closed_at = now(), closing = 'voided' where id = $1`, [intent])
    desk = await openDesk(bench)
    expect(await desk.settle(authorization)).to.deep.include({ success: false, errorReason: 'payment_not_on_file' })
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
  })

  test('with another signature than the payer’s does not tell that it was paid', async () => {
    const { authorization } = await filed()
    await desk.settle(authorization)
    const forged = { ...authorization, signature: `0x${'11'.repeat(64)}1b` as const }
    expect(await desk.settle(forged)).to.deep.include({ success: false, errorReason: 'invalid_exact_evm_signature' })
  })

  test('without a block answers settlement_pending with the hash, and later with the same one', async () => {
    await desk.stop()
    desk = await openDesk(bench, { X402_SETTLE_WAIT_MS: '100' })
    await stopMining(bench)
    const { authorization, intent } = await filed()
    await until('its transaction is on file', async () => (await transactionsOf(bench, intent)).length === 1)
    const [sent] = await transactionsOf(bench, intent)
    const pending = { success: false, errorReason: 'settlement_pending', transaction: sent?.hash }
    expect(await desk.settle(authorization)).to.deep.include(pending)
    // In a block, but not deep enough to be final.
    await mineBlocks(bench.chain, 1)
    expect(await desk.settle(authorization)).to.deep.include(pending)
    await mineBlocks(bench.chain, 2)
    expect(await desk.settle(authorization)).to.deep.include({ success: true, transaction: sent?.hash })
  })

  test('answers settlement_pending with the hash while the node does not answer', async () => {
    await desk.stop()
    desk = await openDesk(bench, { X402_SETTLE_WAIT_MS: '100' })
    await stopMining(bench)
    const { authorization, intent } = await filed()
    await until('its transaction is on file', async () => (await transactionsOf(bench, intent)).length === 1)
    const [sent] = await transactionsOf(bench, intent)
    bench.proxy.intercept(async () => undefined)
    const pending = { success: false, errorReason: 'settlement_pending', transaction: sent?.hash }
    expect(await desk.settle(authorization)).to.deep.include(pending)
  })

  test('knows the transaction after a restart that lost its own tables', async () => {
    const { authorization } = await filed()
    const first = await desk.settle(authorization)
    await desk.stop()
    for (const table of ['outcomes', 'transactions']) await tamper(bench, `delete from facilitator.${table}`)
    desk = await openDesk(bench)
    expect(await desk.settle(authorization)).to.deep.equal(first)
  })

  test('of a payment that somebody else took to the token tells of their transaction', async () => {
    await desk.stop()
    const { authorization } = await filed()
    const { transactionHash } = await submitToToken(bench.chain, authorization)
    desk = await openDesk(bench)
    expect(await desk.settle(authorization)).to.deep.include({ success: true, transaction: transactionHash })
  })

  test('of a payment that the chain refuses says why', async () => {
    const authorization = await signForCustody(bench.chain, freeAccount(7), PRICE)
    await request(bench, { kind: 'deposit', authorization })
    expect(await desk.settle(authorization)).to.deep.include({
      success: false,
      errorReason: 'invalid_exact_evm_insufficient_balance',
      transaction: '',
    })
  })
})
