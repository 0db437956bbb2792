import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import type { Hex } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import { cancelAuthorization } from '../../kit/chain/cancel.ts'
import {
  freeAccount,
  mineBlocks,
  mintUsdc,
  newTerms,
  signForCustody,
  signForHold,
  signTransfer,
  submitToToken,
} from '../../kit/chain/payments.ts'
import {
  type Bench,
  request,
  resumeMining,
  startBench,
  stopMining,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'
import { type OpenDesk, openDesk } from '../../kit/facilitator/x402/desk.ts'
import { until } from '../../kit/until.ts'

const PRICE = 20_000_000n
/** What the facilitator waits for. */
const CONFIRMATIONS = 2

describe('the status of a payment', { timeout: 300_000 }, () => {
  let bench: Bench
  let desk: OpenDesk
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

  const now = async () => (await bench.chain.client.getBlock()).timestamp
  const sign = (changes: Partial<SignedAuthorization> = {}) => {
    const nonce: Hex = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`
    return signTransfer(bench.chain, buyer, {
      to: bench.chain.accounts.hotWallet.address,
      value: PRICE,
      nonce,
      ...changes,
    })
  }
  /** What the node says of an authorization at a block. */
  const stateAt = ({ from, nonce }: SignedAuthorization, blockNumber: number) =>
    bench.chain.client.readContract({
      address: bench.chain.token,
      abi: tokenAbi,
      functionName: 'authorizationState',
      args: [from, nonce],
      blockNumber: BigInt(blockNumber),
    })

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
  })

  beforeEach(async () => {
    await stopMining(bench)
    desk = await openDesk(bench)
  })

  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await desk.stop()
    await resumeMining(bench)
  })

  after(() => bench.stop())

  test('is pending with the hash until it is deep enough, then paid, with the logs that show it', async () => {
    const authorization = await signForCustody(bench.chain, buyer, PRICE)
    const intent = await request(bench, { kind: 'deposit', authorization })
    await until('its transaction is on file', async () => (await transactionsOf(bench, intent)).length === 1)
    const [sent] = await transactionsOf(bench, intent)
    const validBefore = Number(authorization.validBefore)
    const unmined = {
      state: 'pending',
      transaction: sent?.hash,
      valid_before: validBefore,
      evidence: null,
      proof: null,
    }
    expect(await desk.status(authorization)).to.deep.include(unmined)
    for (let depth = 0; depth < CONFIRMATIONS; depth++) {
      await mineBlocks(bench.chain, 1)
      expect(await desk.status(authorization)).to.deep.include({ state: 'pending', transaction: sent?.hash })
    }
    await mineBlocks(bench.chain, 1)
    const paid = await desk.status(authorization)
    expect(paid).to.deep.include({ state: 'paid', transaction: sent?.hash, on_file: true })
    const receipt = await bench.chain.client.getTransactionReceipt({ hash: sent?.hash ?? '0x' })
    expect(paid.evidence).to.deep.include({
      event: 'AuthorizationUsed',
      block_number: Number(receipt.blockNumber),
      block_hash: receipt.blockHash,
      confirmations: CONFIRMATIONS,
      transfer: {
        to: bench.chain.accounts.hotWallet.address,
        amount: PRICE.toString(),
        log_index: Number(paid.evidence?.log_index) + 1,
      },
    })
    expect(receipt.logs.some(({ logIndex }) => logIndex === paid.evidence?.log_index)).to.equal(true)
  })

  test('is paid into the escrow, and straight to the token, without a row on file', async () => {
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    const authorization = await signForHold(bench.chain, buyer, terms)
    const { transactionHash } = await submitToToken(bench.chain, authorization)
    await mineBlocks(bench.chain, CONFIRMATIONS)
    expect(await desk.status(authorization)).to.deep.include({
      state: 'paid',
      on_file: false,
      transaction: transactionHash,
    })
  })

  test('is proved unpaid only once its time is over at confirmed depth, by a block that anyone can check', async () => {
    await desk.stop()
    desk = await openDesk(bench, { MAX_FEE_PER_GAS: '1' })
    const validBefore = (await now()) + 600n
    const authorization = await sign({ validBefore })
    await request(bench, { kind: 'deposit', authorization })
    await mineAt(validBefore - 2n)
    await mineAt(validBefore - 1n)
    expect((await desk.status(authorization)).state).to.equal('pending')
    await mineAt(validBefore)
    for (let depth = 0; depth < CONFIRMATIONS; depth++) {
      const early = await desk.status(authorization)
      expect(early, JSON.stringify(early)).to.deep.include({ state: 'pending', proof: null })
      await mineBlocks(bench.chain, 1)
    }
    const { state, proof } = await desk.status(authorization)
    expect(state).to.equal('unpaid_proven')
    const block = await bench.chain.client.getBlock({ blockNumber: BigInt(proof?.block_number ?? 0) })
    expect(proof).to.deep.equal({
      authorization_state: false,
      block_number: Number(block.number),
      block_hash: block.hash,
      block_timestamp: Number(block.timestamp),
      confirmations: CONFIRMATIONS,
    })
    expect(block.timestamp >= validBefore).to.equal(true)
    expect(await stateAt(authorization, proof?.block_number ?? 0)).to.equal(false)
  })

  test('is proved unpaid for a caller who knows the end of what was signed, with no row on file', async () => {
    const validBefore = (await now()) + 60n
    const authorization = await sign({ validBefore })
    expect(await desk.status(authorization)).to.deep.include({ state: 'unspent', on_file: false, proof: null })
    expect((await desk.status(authorization, `?valid_before=${validBefore}`)).state).to.equal('pending')
    await mineAt(validBefore)
    await mineBlocks(bench.chain, CONFIRMATIONS)
    expect((await desk.status(authorization, `?valid_before=${validBefore}`)).state).to.equal('unpaid_proven')
    expect((await desk.status(authorization, `?valid_before=${validBefore + 3600n}`)).state).to.equal('pending')
    expect((await desk.status(authorization)).state).to.equal('unspent')
  })

  test('is never proved before the end of what is on file, whatever end the caller names', async () => {
    await desk.stop()
    desk = await openDesk(bench, { MAX_FEE_PER_GAS: '1' })
    const authorization = await sign()
    await request(bench, { kind: 'deposit', authorization })
    expect(await desk.status(authorization, '?valid_before=1')).to.deep.include({ state: 'pending', proof: null })
  })

  test('is spent elsewhere, with no evidence, when it was spent before there was anything of ours', async () => {
    const authorization = await sign()
    const { blockNumber, transactionHash } = await submitToToken(bench.chain, authorization)
    await mineBlocks(bench.chain, CONFIRMATIONS)
    expect(await desk.status(authorization)).to.deep.include({ state: 'paid', transaction: transactionHash })
    await desk.stop()
    desk = await openDesk(bench, { START_BLOCK: String(blockNumber + 1n) })
    const unknown = { transaction: null, evidence: null, proof: null }
    expect(await desk.status(authorization)).to.deep.include({ state: 'spent_elsewhere', on_file: false, ...unknown })
    await request(bench, { kind: 'deposit', authorization })
    const settled = await desk.settle(authorization)
    expect(settled).to.deep.include({
      success: false,
      errorReason: 'invalid_exact_evm_nonce_already_used',
      transaction: '',
    })
  })

  test('is cancelled when its payer cancelled it, which proves no payment', async () => {
    const authorization = await sign()
    await cancelAuthorization(bench.chain, buyer, authorization)
    expect((await desk.status(authorization)).state).to.equal('pending')
    await mineBlocks(bench.chain, CONFIRMATIONS)
    const { state, evidence } = await desk.status(authorization)
    expect([state, evidence?.event, evidence?.transfer]).to.deep.equal(['cancelled', 'AuthorizationCanceled', null])
  })

  test('is spent elsewhere when its nonce paid somebody else, or another amount than its order’s', async () => {
    const stranger = await sign({ to: seller.address })
    const { transactionHash } = await submitToToken(bench.chain, stranger)
    const asked = await sign()
    const less = await sign({ nonce: asked.nonce, value: PRICE - 1n })
    await desk.stop()
    await request(bench, { kind: 'deposit', authorization: asked })
    await submitToToken(bench.chain, less)
    await mineBlocks(bench.chain, CONFIRMATIONS)
    desk = await openDesk(bench)
    expect(await desk.status(stranger)).to.deep.include({ state: 'spent_elsewhere', transaction: transactionHash })
    const { state, evidence } = await desk.status(asked)
    expect(state).to.equal('spent_elsewhere')
    expect(evidence?.transfer).to.deep.include({ amount: (PRICE - 1n).toString() })
  })

  test('is unknown, and no proof, while the node does not answer', async () => {
    const authorization = await sign({ validBefore: (await now()) - 10n })
    await mineBlocks(bench.chain, CONFIRMATIONS)
    bench.proxy.intercept(async () => undefined)
    const { from, nonce, validBefore } = authorization
    const response = await desk.fetch(`/payments/${from}/${nonce}?valid_before=${validBefore}`)
    expect(response.status).to.equal(503)
    expect(await response.json()).to.deep.include({ type: 'market:error:service/unavailable' })
  })

  /** Mines a block at a time of the chain. */
  async function mineAt(timestamp: bigint): Promise<void> {
    await bench.client.query(
      'update sandbox.clock set shift = greatest(shift, to_timestamp($1) - transaction_timestamp())',
      [Number(timestamp)],
    )
    await bench.chain.client.setNextBlockTimestamp({ timestamp })
    await mineBlocks(bench.chain, 1)
  }
})
