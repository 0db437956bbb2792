import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { encodeFunctionData, keccak256, parseGwei } from 'viem'
import { escrowAbi } from '../../protocol/abi/escrow.ts'
import type { IntentOf } from '../../protocol/intents.ts'
import { freeAccount, mineBlocks, mintUsdc, newTerms, roleAccount, signForHold } from '../chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  BLOCK_INTERVAL_SECONDS,
  outcomeOf,
  request,
  startBench,
  transactionsOf,
  until,
} from './facilitator.ts'

const PRICE = 20_000_000n

describe('transactions on an unkind chain', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

  const newFund = async () => {
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    return { kind: 'fund', terms, authorization: await signForHold(bench.chain, buyer, terms) } as const
  }
  const requestFund = async () => request(bench, await newFund())
  const isInPool = (hash: `0x${string}`) =>
    bench.chain.client.getTransaction({ hash }).then(
      () => true,
      () => false,
    )
  const stopMining = () => bench.chain.client.setIntervalMining({ interval: 0 })
  const resumeMining = () => bench.chain.client.setIntervalMining({ interval: BLOCK_INTERVAL_SECONDS })
  const untilOnFile = async (intent: string, count: number) => {
    await until(async () => (await transactionsOf(bench, intent)).length >= count)
    return transactionsOf(bench, intent)
  }

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
    await resumeMining()
  })

  after(() => bench.stop())

  test('one that the node lost is broadcast again, the same bytes', async () => {
    let lost: string | undefined
    bench.proxy.intercept(async (rpc, forward) => {
      if (rpc.method !== 'eth_sendRawTransaction' || lost) return forward()
      lost = rpc.params[0] as string
      return JSON.stringify({ jsonrpc: '2.0', id: 1, result: keccak256(lost as `0x${string}`) })
    })
    const intent = await requestFund()
    const outcome = await outcomeOf(bench, intent)
    expect(outcome).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: keccak256(lost as `0x${string}`) })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
  })

  test('one whose block was reorganised away is broadcast again', async () => {
    await stopMining()
    const snapshot = await bench.chain.client.snapshot()
    const intent = await requestFund()
    const [sent] = await untilOnFile(intent, 1)
    if (!sent) throw new Error('nothing was sent')
    await until(() => isInPool(sent.hash))
    await mineBlocks(bench.chain, 1)
    await bench.chain.client.revert({ id: snapshot })
    expect(await isInPool(sent.hash)).to.equal(false)
    await resumeMining()
    expect(await outcomeOf(bench, intent)).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: sent.hash })
  })

  test('a nonce that another transaction of the key used: the intent is sent again under the next', async () => {
    await stopMining()
    let isLost = false
    bench.proxy.intercept(async (rpc, forward) => {
      if (rpc.method !== 'eth_sendRawTransaction' || isLost) return forward()
      isLost = true
      return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'the pool is full' } })
    })
    const intent = await requestFund()
    const [lost] = await untilOnFile(intent, 1)
    const submitter = roleAccount(bench.chain, 'submitter')
    await bench.chain.client.sendTransaction({ account: submitter, to: submitter.address, nonce: lost?.nonce ?? 0 })
    await resumeMining()
    const outcome = await outcomeOf(bench, intent)
    expect(outcome.status).to.equal('confirmed')
    expect(outcome.tx_hash).to.not.equal(lost?.hash)
  })

  test('a gap in the nonces that nothing on file explains is filled', async () => {
    await facilitator.stop()
    const fund = await newFund()
    const intent = await request(bench, fund)
    await recordUnderFutureNonce(bench, intent, fund)
    facilitator = await actHere(bench)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    const next = await outcomeOf(bench, await requestFund())
    expect(next.status).to.equal('confirmed')
  })

  test('one that a rising base fee has left behind is replaced by a dearer one', async () => {
    await stopMining()
    const intent = await requestFund()
    const [cheap] = await untilOnFile(intent, 1)
    await until(() => isInPool(cheap?.hash ?? '0x'))
    await bench.chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('50') })
    await resumeMining()
    const outcome = await outcomeOf(bench, intent)
    expect(outcome.status).to.equal('confirmed')
    const [first, second] = await transactionsOf(bench, intent)
    expect(outcome.tx_hash).to.equal(second?.hash)
    expect(second?.nonce).to.equal(first?.nonce)
  })

  test('a node that is out of reach for a while decides nothing', async () => {
    bench.proxy.intercept(async () => undefined)
    const intent = await requestFund()
    await until(async () => facilitator.output().includes('does not answer'))
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
    bench.proxy.intercept(undefined)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })
})

/** As if the transaction before this one had been lost with its file: a database restored from a copy. */
async function recordUnderFutureNonce(bench: Bench, intentId: string, { terms, authorization }: IntentOf<'fund'>) {
  const submitter = roleAccount(bench.chain, 'submitter')
  const nonce = (await bench.chain.client.getTransactionCount({ address: submitter.address })) + 1
  const { from, validAfter, validBefore, signature } = authorization
  const data = encodeFunctionData({
    abi: escrowAbi,
    functionName: 'fund',
    args: [terms, from, validAfter, validBefore, signature],
  })
  const raw = await submitter.signTransaction({
    ...{ type: 'eip1559', chainId: bench.chain.chainId, nonce, to: bench.chain.escrow, data, gas: 400_000n },
    ...{ maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('1') },
  })
  const insert = `insert into facilitator.transactions (hash, intent_id, signer, nonce, raw) values ($1, $2, $3, $4, $5)`
  await bench.client.query(insert, [keccak256(raw), intentId, submitter.address.toLowerCase(), nonce, raw])
}
