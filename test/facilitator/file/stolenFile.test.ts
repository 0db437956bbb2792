import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import { encodeFunctionData, keccak256 } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import { freeAccount } from '../../kit/chain/payments.ts'
import { type Custody, NET, startCustody } from '../../kit/facilitator/custody.ts'
import {
  type Bench,
  blocksLater,
  currentOutcome,
  letTimePass,
  loseNextForGood,
  outcomeOf,
  request,
  tamper,
} from '../../kit/facilitator/facilitator.ts'
import { until } from '../../kit/until.ts'

const QUARTER_HOUR_SECONDS = 900

describe('whoever writes the file of the facilitator, without a key', { timeout: 300_000 }, () => {
  let custody: Custody
  let bench: Bench
  const thief = freeAccount(2)

  before(async () => {
    custody = await startCustody()
    bench = custody.bench
  })
  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await custody.stopActing()
  })
  after(() => custody.stop())

  test('has no key sign a call: a transaction on file counts only with the signature of its key [risk market-facilitator]', async () => {
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
    const { output } = await custody.act()
    await blocksLater(bench, 20)
    const { rows } = await bench.client.query('select hash from facilitator.transactions where signer = $1', [
      resolver.toLowerCase(),
    ])
    expect(rows).to.deep.equal([{ hash: keccak256(raw) }])
    expect(await chain.client.getTransactionCount({ address: resolver })).to.equal(nonce)
    expect(output()).to.include('was not signed by the key it names')
  })

  test('gets no second leg of a deposit by deleting what was signed for the first', async () => {
    await custody.act()
    loseNextForGood(bench)
    const first = await custody.newPayout()
    await request(bench, first)
    await until('the first is signed', () => custody.signedFor(first))
    await tamper(bench, 'delete from facilitator.authorizations')
    const second = custody.toBuyer(first.deposit)
    const intent = await request(bench, second)
    await blocksLater(bench, 5)
    expect(await custody.signedFor(second)).to.equal(0)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
  })

  test('does not begin the day of the limit anew', async () => {
    await custody.act({ DAILY_PAYOUT_MICROS: NET.toString(), RELEASE_UNPROVED_DAILY_MICROS: '1000000000000' })
    expect(await custody.payOnce()).to.equal('confirmed')
    await tamper(bench, 'delete from facilitator.authorizations')
    const next = await custody.newPayout()
    await request(bench, next)
    await blocksLater(bench, 5)
    expect(await custody.signedFor(next)).to.equal(0)
  })

  test('gets nothing signed twice by a restore: nothing is signed until what was signed before has expired', async () => {
    await custody.act()
    await custody.payOnce()
    await custody.stopActing()
    await bench.database.save()
    await bench.database.restore()
    const { output } = await custody.act()
    const payout = await custody.newPayout()
    const before = await balanceOf(bench.chain, custody.seller.address)
    const intent = await request(bench, payout)
    await blocksLater(bench, 10)
    expect(await custody.signedFor(payout)).to.equal(0)
    expect(output()).to.include('the file was restored')
    // A restart waits on.
    await custody.stopActing()
    await custody.act()
    await blocksLater(bench, 5)
    expect(await custody.signedFor(payout)).to.equal(0)
    await letTimePass(bench, QUARTER_HOUR_SECONDS + 10)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    expect(await balanceOf(bench.chain, custody.seller.address)).to.equal(before + NET)
  })
})
