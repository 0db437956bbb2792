import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { keccak256, toHex } from 'viem'
import { balanceOf } from '../../kit/chain/custody.ts'
import { mintUsdc, signTransfer } from '../../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  blocksLater,
  letTimePass,
  loseNextForGood,
  noOpsOf,
  outcomeOf,
  request,
  resumeMining,
  startBench,
  stopMining,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'
import { buyer, isInPool, newFund, PRICE, requestFund, untilOnFile } from '../../kit/facilitator/funds.ts'
import { until } from '../../kit/until.ts'

describe('transactions whose authorization is used or over', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
  })

  beforeEach(async () => {
    facilitator = await actHere(bench)
  })

  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await facilitator.stop()
    await resumeMining(bench)
  })

  after(() => bench?.stop())

  test('one whose authorization runs out makes way for a no-op, and what comes after it is mined [risk expiry-while-waiting]', async () => {
    await stopMining(bench)
    const now = (await bench.chain.client.getBlock()).timestamp
    loseNextForGood(bench)
    const doomed = await request(bench, await newFund(bench, { validBefore: now + 60n }))
    const [lost] = await untilOnFile(bench, doomed, 1)
    if (!lost) throw new Error('nothing was sent')
    const next = await requestFund(bench)
    await untilOnFile(bench, next, 1)
    await letTimePass(bench, 61)
    await resumeMining(bench)
    expect((await outcomeOf(bench, next)).status).to.equal('confirmed')
    expect(await outcomeOf(bench, doomed)).to.deep.equal({
      ...{ status: 'failed', reason: 'authorization_expired', tx_hash: null },
    })
    expect(await transactionsOf(bench, doomed)).to.have.length(1)
    expect(await isInPool(bench, lost.hash)).to.equal(false)
    expect((await noOpsOf(bench)).at(-1)).to.include({ signer: lost.signer, nonce: lost.nonce })
  })

  test('an authorization that ends before it could be mined is not sent [risk valid-before]', async () => {
    const now = (await bench.chain.client.getBlock()).timestamp
    const intent = await request(bench, await newFund(bench, { validBefore: now + 4n }))
    // Time enough to be sent in, if it were.
    await blocksLater(bench, 8)
    await letTimePass(bench, 5)
    expect(await outcomeOf(bench, intent)).to.include({ status: 'failed', reason: 'authorization_expired' })
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
  })

  test('one that is valid when it is tried and over when it is mined has failed once, and is not sent again [risk expiry-before-mining]', async () => {
    await stopMining(bench)
    const { timestamp } = await bench.chain.client.getBlock()
    const intent = await request(bench, await newFund(bench, { validBefore: timestamp + 60n }))
    const [sent] = await untilOnFile(bench, intent, 1)
    await until('the node has it', () => isInPool(bench, sent?.hash ?? '0x'))
    await bench.chain.client.setNextBlockTimestamp({ timestamp: timestamp + 60n })
    await resumeMining(bench)
    expect(await outcomeOf(bench, intent)).to.include({ status: 'failed', reason: 'authorization_expired' })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
    const receipt = await bench.chain.client.getTransactionReceipt({ hash: sent?.hash ?? '0x' })
    expect(receipt.status).to.equal('reverted')
  })

  test('one nonce signed for two amounts, both tried and sent before either is mined, moves one of them [risk nonce-twice]', async () => {
    const { address: to } = bench.chain.accounts.hotWallet
    const nonce = keccak256(toHex('one nonce for two amounts'))
    const before = await balanceOf(bench.chain, to)
    await stopMining(bench)
    const sign = (value: bigint) => signTransfer(bench.chain, buyer, { to, value, nonce })
    const amounts = [PRICE, 2n * PRICE]
    const intents = await Promise.all(
      amounts.map(async (value) => request(bench, { kind: 'deposit', authorization: await sign(value) })),
    )
    for (const intent of intents) await untilOnFile(bench, intent, 1)
    await resumeMining(bench)
    const outcomes = await Promise.all(intents.map((intent) => outcomeOf(bench, intent)))
    const moved = (await balanceOf(bench.chain, to)) - before
    expect(outcomes.map(({ status, reason }) => reason ?? status)).to.deep.equal(
      amounts.map((value) => (value === moved ? 'confirmed' : 'authorization_used')),
    )
    expect(amounts).to.include(moved)
  })
})
