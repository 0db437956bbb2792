import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { encodeFunctionData, keccak256, parseGwei } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import type { IntentOf } from '../../protocol/payments/intents.ts'
import { termsHash } from '../../protocol/payments/terms.ts'
import { balanceOf } from '../kit/chain/custody.ts'
import { mineBlocks, mintUsdc, newTerms, roleAccount, signTransfer } from '../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  loseBroadcasts,
  noOpsOf,
  outcomeOf,
  request,
  resumeMining,
  startBench,
  stopMining,
  transactionsOf,
} from '../kit/facilitator/facilitator.ts'
import { buyer, isInPool, newFund, PRICE, requestFund, seller, untilOnFile } from '../kit/facilitator/funds.ts'
import { startDatabase } from '../kit/stack/database.ts'
import { until } from '../kit/until.ts'

describe('transactions on an unkind chain', { timeout: 300_000 }, () => {
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

  test('one that the node lost is broadcast again, the same bytes', async () => {
    const lost = loseBroadcasts(bench, 1)
    const intent = await requestFund(bench)
    const outcome = await outcomeOf(bench, intent)
    expect(outcome).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: lost[0] })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
  })

  test('one whose block was reorganised away is broadcast again', async () => {
    await stopMining(bench)
    const snapshot = await bench.chain.client.snapshot()
    const intent = await requestFund(bench)
    const [sent] = await untilOnFile(bench, intent, 1)
    if (!sent) throw new Error('nothing was sent')
    await until('the node has it', () => isInPool(bench, sent.hash))
    await mineBlocks(bench.chain, 1)
    await bench.chain.client.revert({ id: snapshot })
    expect(await isInPool(bench, sent.hash)).to.equal(false)
    await resumeMining(bench)
    expect(await outcomeOf(bench, intent)).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: sent.hash })
  })

  test('one that met no contract has done nothing, and is sent again where there is one', async () => {
    const { client, escrow } = bench.chain
    const bytecode = await client.getCode({ address: escrow })
    await stopMining(bench)
    const intent = await requestFund(bench)
    const [vain] = await untilOnFile(bench, intent, 1)
    if (!vain || !bytecode) throw new Error('nothing was sent')
    await until('the node has it', () => isInPool(bench, vain.hash))
    // As where the chain takes back the block in which the escrow was deployed.
    await client.setCode({ address: escrow, bytecode: '0x' })
    await mineBlocks(bench.chain, 1)
    expect((await client.getTransactionReceipt({ hash: vain.hash })).status).to.equal('success')
    await client.setCode({ address: escrow, bytecode })
    await resumeMining(bench)
    const outcome = await outcomeOf(bench, intent)
    expect(outcome.status).to.equal('confirmed')
    expect(outcome.tx_hash).to.not.equal(vain.hash)
  })

  test('a nonce that another transaction of the key used: the intent is sent again under the next', async () => {
    await stopMining(bench)
    let isLost = false
    bench.proxy.intercept(async (rpc, forward) => {
      if (rpc.method !== 'eth_sendRawTransaction' || isLost) return forward()
      isLost = true
      return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'the pool is full' } })
    })
    const intent = await requestFund(bench)
    const [lost] = await untilOnFile(bench, intent, 1)
    const submitter = roleAccount(bench.chain, 'submitter')
    await bench.chain.client.sendTransaction({ account: submitter, to: submitter.address, nonce: lost?.nonce ?? 0 })
    await resumeMining(bench)
    const outcome = await outcomeOf(bench, intent)
    expect(outcome.status).to.equal('confirmed')
    expect(outcome.tx_hash).to.not.equal(lost?.hash)
  })

  test('another facilitator with the same keys and a database of its own: each payment is made, and once [risk shared-keys]', async () => {
    const database = await startDatabase()
    const client = new pg.Pool({ connectionString: database.url })
    client.on('error', () => {})
    const other = { ...bench, database, client }
    const payments = await Promise.all(Array.from({ length: 9 }, () => newFund(bench)))
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
    const fund = await newFund(bench)
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
    const next = await outcomeOf(bench, await requestFund(bench))
    expect(next.status).to.equal('confirmed')
  })

  test('one that a rising base fee has left behind is replaced by a dearer one', async () => {
    await stopMining(bench)
    const intent = await requestFund(bench)
    const [cheap] = await untilOnFile(bench, intent, 1)
    await until('the node has it', () => isInPool(bench, cheap?.hash ?? '0x'))
    await bench.chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('50') })
    await resumeMining(bench)
    const outcome = await outcomeOf(bench, intent)
    expect(outcome.status).to.equal('confirmed')
    const [first, second] = await transactionsOf(bench, intent)
    expect(outcome.tx_hash).to.equal(second?.hash)
    expect(second?.nonce).to.equal(first?.nonce)
  })

  test('a chain that goes back between the trial and the broadcast, and takes the payer’s money along [risk chain-goes-back]', async () => {
    const { client } = bench.chain
    const payer = privateKeyToAccount(generatePrivateKey())
    await stopMining(bench)
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
    await until('the chain has gone back', () => goneBack)
    await resumeMining(bench)
    expect(await outcomeOf(bench, intent)).to.include({ status: 'failed', reason: 'insufficient_balance' })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
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
