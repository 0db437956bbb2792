import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { keccak256, toHex } from 'viem'
import { openRpc } from '../../api/payments/chain/nodes.ts'
import { feesOf } from '../../facilitator/keys/transaction.ts'
import { balanceOf } from '../kit/chain/custody.ts'
import { mintUsdc, roleAccount } from '../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  outcomeOf,
  resumeMining,
  startBench,
  stopMining,
  transactionsOf,
  untilLogged,
} from '../kit/facilitator/facilitator.ts'
import { buyer, PRICE, requestFund, untilOnFile } from '../kit/facilitator/funds.ts'
import { until } from '../kit/until.ts'

describe('transactions, whatever the node says', { timeout: 300_000 }, () => {
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

  test('the node is not asked what its pool holds, which may cost it a block, while all that is sent is mined', async () => {
    // Whoever starts asks.
    await outcomeOf(bench, await requestFund(bench))
    let asked = 0
    bench.proxy.intercept(({ method, params }, forward) => {
      if (method === 'eth_getTransactionCount' && params[1] === 'pending') asked++
      return forward()
    })
    for (const intent of await Promise.all([requestFund(bench), requestFund(bench)])) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    }
    expect(asked).to.equal(0)
  })

  test('one that pays its way and is not mined all the same is replaced by one that pays an eighth more', async () => {
    let hides = true
    bench.proxy.intercept(async (rpc, forward) => {
      const { method, params } = rpc
      if (method === 'eth_sendRawTransaction' && hides) {
        hides = false
        return JSON.stringify({ jsonrpc: '2.0', id: 1, result: keccak256(params[0] as `0x${string}`) })
      }
      // The node says that it holds it.
      if (method !== 'eth_getTransactionCount' || params[1] !== 'pending') return forward()
      const [sent] = await transactionsOf(bench, intent)
      if (params[0] !== roleAccount(bench.chain, 'submitter').address || !sent) return forward()
      return JSON.stringify({ jsonrpc: '2.0', id: 1, result: toHex(sent.nonce + 1) })
    })
    const intent = await requestFund(bench)
    const outcome = await outcomeOf(bench, intent)
    const [first, second] = await transactionsOf(bench, intent)
    if (!first || !second) throw new Error('it was not replaced')
    expect(outcome).to.include({ status: 'confirmed', tx_hash: second.hash })
    expect(second.nonce).to.equal(first.nonce)
    const fees = [first, second].map(feesOf)
    expect((fees[1]?.maxFeePerGas ?? 0n) * 8n > (fees[0]?.maxFeePerGas ?? 0n) * 9n).to.equal(true)
    expect((fees[1]?.maxPriorityFeePerGas ?? 0n) * 8n > (fees[0]?.maxPriorityFeePerGas ?? 0n) * 9n).to.equal(true)
  })

  test('a node may say of a transaction what it likes, whether it takes it or not: it is mined, once [risk broadcast-errors]', async () => {
    const words = [
      'already known',
      'ALREADY_EXISTS: already known',
      'nonce too low',
      'replacement transaction underpriced',
      'transaction underpriced',
      'could not replace existing tx',
      'insufficient funds for gas * price + value',
      'internal error',
    ]
    const seen = new Map<unknown, number>()
    bench.proxy.intercept(async ({ method, params }, forward) => {
      if (method !== 'eth_sendRawTransaction' || seen.has(params[0])) return forward()
      const index = seen.size
      seen.set(params[0], index)
      // Half of them it takes all the same.
      if (index % 2 === 0) await forward()
      const error = { code: -32_000, message: words[index % words.length] }
      return JSON.stringify({ jsonrpc: '2.0', id: 1, error })
    })
    const intents = await Promise.all(Array.from({ length: 2 * words.length }, () => requestFund(bench)))
    for (const intent of intents) {
      const outcome = await outcomeOf(bench, intent)
      const [sent, ...more] = await transactionsOf(bench, intent)
      expect(outcome).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: sent?.hash })
      expect(more).to.deep.equal([])
    }
    expect(seen.size).to.equal(intents.length)
  })

  /** Every other answer to what the newest block is is of a node that is so many blocks behind. */
  const twoHeads = (behind: bigint) => {
    const honest = openRpc(bench.chain.rpcUrl)
    let looks = 0
    bench.proxy.intercept(async ({ method, params }, forward) => {
      if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest' || ++looks % 2 === 0) return forward()
      const number = toHex((await honest.getBlockNumber()) - behind)
      const old = await honest.request({ method: 'eth_getBlockByNumber', params: [number, false] })
      return JSON.stringify({ jsonrpc: '2.0', id: 1, result: old })
    })
    return { looks: () => looks }
  }

  test('heads that go back and forth, as those of several nodes behind one address: each payment is made, and once [risk unstable-heads]', async () => {
    twoHeads(4n)
    const before = await balanceOf(bench.chain, buyer.address)
    const intents = await Promise.all(Array.from({ length: 5 }, () => requestFund(bench)))
    for (const intent of intents) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
      expect(await transactionsOf(bench, intent)).to.have.length(1)
    }
    expect(await balanceOf(bench.chain, buyer.address)).to.equal(before - BigInt(intents.length) * PRICE)
  })

  test('heads that go back and forth while no block comes are no time that passes: nothing is paid more for [risk unstable-heads]', async () => {
    await stopMining(bench)
    const { looks } = twoHeads(4n)
    const intent = await requestFund(bench)
    await untilOnFile(bench, intent, 1)
    const before = looks()
    await until('it has looked often', () => looks() > before + 60)
    expect(await transactionsOf(bench, intent)).to.have.length(1)
    await resumeMining(bench)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })

  test('a node that is out of reach for a while decides nothing', async () => {
    bench.proxy.intercept(async () => undefined)
    const intent = await requestFund(bench)
    await untilLogged(facilitator.output, 'does not answer')
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
    bench.proxy.intercept(undefined)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })
})
