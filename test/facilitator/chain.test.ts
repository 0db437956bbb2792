import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { encodeFunctionData, keccak256, parseGwei, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openRpc } from '../../api/chain/client.ts'
import { feesOf } from '../../facilitator/transaction.ts'
import { escrowAbi } from '../../protocol/abi/escrow.ts'
import type { IntentOf } from '../../protocol/intents.ts'
import { termsHash } from '../../protocol/terms.ts'
import { balanceOf } from '../chain/custody.ts'
import { freeAccount, mineBlocks, mintUsdc, newTerms, roleAccount, signTransfer } from '../chain/payments.ts'
import { startDatabase } from '../stack/database.ts'
import {
  type Acting,
  actHere,
  type Bench,
  BLOCK_INTERVAL_SECONDS,
  blocksLater,
  loseBroadcasts,
  loseNextForGood,
  noOpsOf,
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

  const newFund = async (times: { validBefore?: bigint } = {}) => {
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    const message = { to: bench.chain.escrow, value: PRICE, nonce: termsHash(bench.chain, terms), ...times }
    return { kind: 'fund', terms, authorization: await signTransfer(bench.chain, buyer, message) } as const
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
    const lost = loseBroadcasts(bench, 1)
    const intent = await requestFund()
    const outcome = await outcomeOf(bench, intent)
    expect(outcome).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: lost[0] })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
  })

  test('the node is not asked what its pool holds, which may cost it a block, while all that is sent is mined', async () => {
    // Whoever starts asks.
    await outcomeOf(bench, await requestFund())
    let asked = 0
    bench.proxy.intercept(({ method, params }, forward) => {
      if (method === 'eth_getTransactionCount' && params[1] === 'pending') asked++
      return forward()
    })
    for (const intent of await Promise.all([requestFund(), requestFund()])) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    }
    expect(asked).to.equal(0)
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

  test('one that met no contract has done nothing, and is sent again where there is one', async () => {
    const { client, escrow } = bench.chain
    const bytecode = await client.getCode({ address: escrow })
    await stopMining()
    const intent = await requestFund()
    const [vain] = await untilOnFile(intent, 1)
    if (!vain || !bytecode) throw new Error('nothing was sent')
    await until(() => isInPool(vain.hash))
    // As where the chain takes back the block in which the escrow was deployed.
    await client.setCode({ address: escrow, bytecode: '0x' })
    await mineBlocks(bench.chain, 1)
    expect((await client.getTransactionReceipt({ hash: vain.hash })).status).to.equal('success')
    await client.setCode({ address: escrow, bytecode })
    await resumeMining()
    const outcome = await outcomeOf(bench, intent)
    expect(outcome.status).to.equal('confirmed')
    expect(outcome.tx_hash).to.not.equal(vain.hash)
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

  test('another facilitator with the same keys and a database of its own: each payment is made, and once', async () => {
    const database = await startDatabase()
    const client = new pg.Pool({ connectionString: database.url })
    client.on('error', () => {})
    const other = { ...bench, database, client }
    const payments = await Promise.all(Array.from({ length: 9 }, () => newFund()))
    const before = await balanceOf(bench.chain, buyer.address)
    const twin = await actHere(other)
    // Some are on file with one of them, some with the other, and some with both.
    const asked = payments.flatMap((payment, index) => [
      ...(index % 3 === 0 ? [] : [{ at: bench, payment }]),
      ...(index % 3 === 1 ? [] : [{ at: other, payment }]),
    ])
    const intents = await Promise.all(asked.map(async ({ at, payment }) => ({ at, id: await request(at, payment) })))
    for (const { at, id } of intents) expect((await outcomeOf(at, id)).status).to.equal('confirmed')
    expect(await balanceOf(bench.chain, buyer.address)).to.equal(before - BigInt(payments.length) * PRICE)
    await twin.stop()
    await client.end()
    await database.stop()
  })

  test('a gap in the nonces that nothing on file explains is filled', async () => {
    await facilitator.stop()
    const fund = await newFund()
    const intent = await request(bench, fund)
    await recordUnderFutureNonce(bench, intent, fund)
    facilitator = await actHere(bench)
    const [stranded] = await transactionsOf(bench, intent)
    expect(await outcomeOf(bench, intent)).to.include({ status: 'confirmed', tx_hash: stranded?.hash })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
    const filler = (await noOpsOf(bench)).at(-1)
    expect(filler?.nonce).to.equal((stranded?.nonce ?? 0) - 1)
    const { from, to, value, input } = await bench.chain.client.getTransaction({ hash: filler?.hash ?? '0x' })
    expect({ to, value, input }).to.deep.equal({ to: from, value: 0n, input: '0x' })
    const next = await outcomeOf(bench, await requestFund())
    expect(next.status).to.equal('confirmed')
  })

  test('one whose authorization runs out makes way for a no-op, and what comes after it is mined', async () => {
    await stopMining()
    const now = (await bench.chain.client.getBlock()).timestamp
    loseNextForGood(bench)
    const doomed = await request(bench, await newFund({ validBefore: now + 60n }))
    const [lost] = await untilOnFile(doomed, 1)
    if (!lost) throw new Error('nothing was sent')
    const next = await requestFund()
    await untilOnFile(next, 1)
    await bench.chain.client.increaseTime({ seconds: 61 })
    await resumeMining()
    expect((await outcomeOf(bench, next)).status).to.equal('confirmed')
    expect(await outcomeOf(bench, doomed)).to.deep.equal({
      ...{ status: 'failed', reason: 'authorization_expired', tx_hash: null },
    })
    expect(await transactionsOf(bench, doomed)).to.have.length(1)
    expect(await isInPool(lost.hash)).to.equal(false)
    expect((await noOpsOf(bench)).at(-1)).to.include({ signer: lost.signer, nonce: lost.nonce })
  })

  test('an authorization that ends before it could be mined is not sent', async () => {
    const now = (await bench.chain.client.getBlock()).timestamp
    const intent = await request(bench, await newFund({ validBefore: now + 4n }))
    // Time enough to be sent in, if it were.
    await blocksLater(bench, 8)
    await bench.chain.client.increaseTime({ seconds: 5 })
    expect(await outcomeOf(bench, intent)).to.include({ status: 'failed', reason: 'authorization_expired' })
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
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
    const intent = await requestFund()
    const outcome = await outcomeOf(bench, intent)
    const [first, second] = await transactionsOf(bench, intent)
    if (!first || !second) throw new Error('it was not replaced')
    expect(outcome).to.include({ status: 'confirmed', tx_hash: second.hash })
    expect(second.nonce).to.equal(first.nonce)
    const fees = [first, second].map(feesOf)
    expect((fees[1]?.maxFeePerGas ?? 0n) * 8n > (fees[0]?.maxFeePerGas ?? 0n) * 9n).to.equal(true)
    expect((fees[1]?.maxPriorityFeePerGas ?? 0n) * 8n > (fees[0]?.maxPriorityFeePerGas ?? 0n) * 9n).to.equal(true)
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

  test('a node may say of a transaction what it likes, whether it takes it or not: it is mined, once', async () => {
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
    const intents = await Promise.all(Array.from({ length: 2 * words.length }, requestFund))
    for (const intent of intents) {
      const outcome = await outcomeOf(bench, intent)
      const [sent, ...more] = await transactionsOf(bench, intent)
      expect(outcome).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: sent?.hash })
      expect(more).to.deep.equal([])
    }
    expect(seen.size).to.equal(intents.length)
  })

  test('one that is valid when it is tried and over when it is mined has failed once, and is not sent again', async () => {
    await stopMining()
    const { timestamp } = await bench.chain.client.getBlock()
    const intent = await request(bench, await newFund({ validBefore: timestamp + 60n }))
    const [sent] = await untilOnFile(intent, 1)
    await until(() => isInPool(sent?.hash ?? '0x'))
    await bench.chain.client.setNextBlockTimestamp({ timestamp: timestamp + 60n })
    await resumeMining()
    expect(await outcomeOf(bench, intent)).to.include({ status: 'failed', reason: 'authorization_expired' })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
    const receipt = await bench.chain.client.getTransactionReceipt({ hash: sent?.hash ?? '0x' })
    expect(receipt.status).to.equal('reverted')
  })

  test('a chain that goes back between the trial and the broadcast, and takes the payer’s money along', async () => {
    const { client } = bench.chain
    const payer = privateKeyToAccount(generatePrivateKey())
    await stopMining()
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    const { timestamp } = await client.getBlock()
    const message = { to: bench.chain.escrow, value: PRICE, nonce: termsHash(bench.chain, terms) }
    const signed = { ...message, validBefore: timestamp + 86_400n }
    const authorization = await signTransfer(bench.chain, payer, signed)
    const snapshot = await client.snapshot()
    await mintUsdc(bench.chain, payer.address, PRICE)
    await mineBlocks(bench.chain, 3)
    let goneBack = false
    bench.proxy.intercept(async ({ method }, forward) => {
      if (method === 'eth_sendRawTransaction' && !goneBack) {
        goneBack = true
        await client.revert({ id: snapshot })
      }
      return forward()
    })
    const intent = await request(bench, { kind: 'fund', terms, authorization })
    await until(async () => goneBack)
    await resumeMining()
    expect(await outcomeOf(bench, intent)).to.include({ status: 'failed', reason: 'insufficient_balance' })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
  })

  test('heads that go back and forth, as those of several nodes behind one address: each payment is made, and once', async () => {
    const behind = 4n
    const honest = openRpc(bench.chain.rpcUrl)
    let looks = 0
    bench.proxy.intercept(async ({ method, params }, forward) => {
      if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest' || ++looks % 2 === 0) return forward()
      const number = toHex((await honest.getBlockNumber()) - behind)
      const old = await honest.request({ method: 'eth_getBlockByNumber', params: [number, false] })
      return JSON.stringify({ jsonrpc: '2.0', id: 1, result: old })
    })
    const before = await balanceOf(bench.chain, buyer.address)
    const intents = await Promise.all(Array.from({ length: 5 }, requestFund))
    for (const intent of intents) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
      expect(await transactionsOf(bench, intent)).to.have.length(1)
    }
    expect(await balanceOf(bench.chain, buyer.address)).to.equal(before - BigInt(intents.length) * PRICE)
  })

  test('one nonce signed for two amounts, both tried and sent before either is mined, moves one of them', async () => {
    const { address: to } = bench.chain.accounts.hotWallet
    const nonce = keccak256(toHex('one nonce for two amounts'))
    const before = await balanceOf(bench.chain, to)
    await stopMining()
    const sign = (value: bigint) => signTransfer(bench.chain, buyer, { to, value, nonce })
    const amounts = [PRICE, 2n * PRICE]
    const intents = await Promise.all(
      amounts.map(async (value) => request(bench, { kind: 'deposit', authorization: await sign(value) })),
    )
    for (const intent of intents) await untilOnFile(intent, 1)
    await resumeMining()
    const outcomes = await Promise.all(intents.map((intent) => outcomeOf(bench, intent)))
    const moved = (await balanceOf(bench.chain, to)) - before
    expect(outcomes.map(({ status, reason }) => reason ?? status)).to.deep.equal(
      amounts.map((value) => (value === moved ? 'confirmed' : 'authorization_used')),
    )
    expect(amounts).to.include(moved)
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
