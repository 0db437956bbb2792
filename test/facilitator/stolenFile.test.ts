import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { type Address, encodeFunctionData, type Hex, keccak256 } from 'viem'
import { tokenAbi } from '../../protocol/abi/token.ts'
import type { IntentOf } from '../../protocol/intents.ts'
import { payoutNonce } from '../../protocol/nonces.ts'
import { balanceOf, bindWallet, depositFrom } from '../chain/custody.ts'
import { freeAccount, mintUsdc, saleOf, signForCustody, submitToToken } from '../chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  blocksLater,
  currentOutcome,
  loseNextForGood,
  outcomeOf,
  request,
  startBench,
  tamper,
  until,
} from './facilitator.ts'

const PRICE = 20_000_000n
const NET = 19_000_000n
const QUARTER_HOUR_SECONDS = 900

describe('whoever writes the file of the facilitator, without a key', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting | undefined
  let hotWallet: Address
  const buyer = freeAccount(0)
  const seller = freeAccount(1)
  const thief = freeAccount(2)

  const act = async (overrides: Record<string, string> = {}) => {
    facilitator = await actHere(bench, overrides)
    return facilitator
  }
  const stop = async () => {
    await facilitator?.stop()
    facilitator = undefined
  }
  const newDeposit = async () => {
    const signed = await signForCustody(bench.chain, buyer, PRICE)
    return depositFrom(signed, (await submitToToken(bench.chain, signed)).transactionHash)
  }
  const toSeller = async (deposit: IntentOf<'payout'>['deposit']): Promise<IntentOf<'payout'>> => {
    const binding = await bindWallet(bench.chain, seller)
    return { kind: 'payout', deposit, leg: 'payee', to: seller.address, amount: NET, binding, sale: saleOf(deposit) }
  }
  const nonceOf = ({ deposit, leg }: IntentOf<'payout'>) => payoutNonce({ ...bench.chain, hotWallet }, deposit, leg)
  const signedUnder = async (nonce: Hex) =>
    (await bench.client.query('select from facilitator.authorizations where nonce = $1', [nonce])).rowCount ?? 0

  before(async () => {
    bench = await startBench()
    hotWallet = bench.chain.accounts.hotWallet.address
    await mintUsdc(bench.chain, buyer.address, 1_000_000_000n)
    await mintUsdc(bench.chain, hotWallet, 1_000_000_000n)
  })
  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await stop()
  })
  after(() => bench.stop())

  test('has no key sign a call: a transaction on file counts only with the signature of its key', async () => {
    const { chain, database } = bench
    const { address: resolver } = chain.accounts.resolver
    const nonce = await chain.client.getTransactionCount({ address: resolver })
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [thief.address, 500_000_000n] })
    const raw = await thief.signTransaction({
      ...{ type: 'eip1559', chainId: chain.chainId, nonce, to: chain.token, data, gas: 100_000n },
      ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 0n },
    })
    const role = new pg.Client(database.roleUrls.facilitator)
    await role.connect()
    await role.query(
      'insert into facilitator.transactions (hash, intent_id, signer, nonce, raw) values ($1, null, $2, $3, $4)',
      [keccak256(raw), resolver.toLowerCase(), nonce, raw],
    )
    await role.end()
    const { output } = await act()
    await blocksLater(bench, 20)
    const { rows } = await bench.client.query('select hash from facilitator.transactions where signer = $1', [
      resolver.toLowerCase(),
    ])
    expect(rows).to.deep.equal([{ hash: keccak256(raw) }])
    expect(await chain.client.getTransactionCount({ address: resolver })).to.equal(nonce)
    expect(output()).to.include('was not signed by the key it names')
  })

  test('gets no second leg of a deposit by deleting what was signed for the first', async () => {
    await act()
    loseNextForGood(bench)
    const deposit = await newDeposit()
    const first = await toSeller(deposit)
    await request(bench, first)
    await until(async () => (await signedUnder(nonceOf(first))) > 0)
    await tamper(bench, 'delete from facilitator.authorizations')
    const second: IntentOf<'payout'> = { kind: 'payout', deposit, leg: 'payer', to: buyer.address, amount: PRICE }
    const intent = await request(bench, second)
    await blocksLater(bench, 5)
    expect(await signedUnder(nonceOf(second))).to.equal(0)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
  })

  test('does not begin the day of the limit anew', async () => {
    await act({ DAILY_PAYOUT_MICROS: NET.toString(), RELEASE_UNPROVED_DAILY_MICROS: '1000000000000' })
    expect((await outcomeOf(bench, await request(bench, await toSeller(await newDeposit())))).status).to.equal(
      'confirmed',
    )
    await tamper(bench, 'delete from facilitator.authorizations')
    const next = await toSeller(await newDeposit())
    await request(bench, next)
    await blocksLater(bench, 5)
    expect(await signedUnder(nonceOf(next))).to.equal(0)
  })

  test('gets nothing signed twice by a restore: nothing is signed until what was signed before has expired', async () => {
    await act()
    await outcomeOf(bench, await request(bench, await toSeller(await newDeposit())))
    await stop()
    await bench.database.save()
    await bench.database.restore()
    const { output } = await act()
    const payout = await toSeller(await newDeposit())
    const before = await balanceOf(bench.chain, seller.address)
    const intent = await request(bench, payout)
    await blocksLater(bench, 10)
    expect(await signedUnder(nonceOf(payout))).to.equal(0)
    expect(output()).to.include('the file was restored')
    // A restart waits on.
    await stop()
    await act()
    await blocksLater(bench, 5)
    expect(await signedUnder(nonceOf(payout))).to.equal(0)
    await bench.chain.client.increaseTime({ seconds: QUARTER_HOUR_SECONDS + 10 })
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    expect(await balanceOf(bench.chain, seller.address)).to.equal(before + NET)
  })
})
