import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { decodeFunctionData, parseTransaction } from 'viem'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { holdId, type Terms } from '../../../protocol/payments/terms.ts'
import { balanceOf } from '../../kit/chain/custody.ts'
import {
  freeAccount,
  mined,
  mintUsdc,
  newTerms,
  roleAccount,
  signForHold,
  signTransfer,
  submitToToken,
} from '../../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  announcedFor,
  type Bench,
  blocksLater,
  currentOutcome,
  outcomeOf,
  passStrayDelay,
  request,
  startBench,
  tamper,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'
import { until } from '../../kit/until.ts'

const PRICE = 20_000_000n
const HELD = 1
const RETURNED = 4
const ADOPTION = 1
const RETURN = 2

describe('stray payments, which are announced before they are adopted or returned', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 1_000_000_000n)
    facilitator = await actHere(bench)
  })

  after(async () => {
    await facilitator.stop()
    await bench.stop()
  })

  test('adopt: a payment taken straight to the token becomes a hold', async () => {
    const { terms, signed, payment } = await paidDirectly()
    const fund = await request(bench, { kind: 'fund', terms, authorization: signed })
    expect(await outcomeOf(bench, fund)).to.deep.equal({
      status: 'failed',
      reason: 'authorization_used',
      tx_hash: null,
    })
    const adopt = await request(bench, { kind: 'adopt', terms, payment })
    await passStrayDelay(bench, payment)
    const outcome = await outcomeOf(bench, adopt)
    expect(await callsFor(adopt)).to.deep.equal(['announceAdopt', 'adopt'])
    const [, second] = await transactionsOf(bench, adopt)
    expect(outcome).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: second?.hash })
    expect(await stateOf(payment)).to.equal(HELD)
  })

  test('return_stray: a payment for nothing goes back, once no stop of the escrow holds it', async () => {
    const { chain } = bench
    const before = await balanceOf(chain, buyer.address)
    const stray = await signTransfer(chain, buyer, { to: chain.escrow, value: 7n, nonce: `0x${'cd'.repeat(32)}` })
    const { transactionHash } = await submitToToken(chain, stray)
    const payment = { from: buyer.address, nonce: stray.nonce, amount: 7n, txHash: transactionHash }
    const [stop, actor] = [randomUUID(), 'market:human:1']
    const put = `insert into market.payout_stops (id, place, reason, raised_by) values ($1, 'escrow', 'a test', $2)`
    await bench.client.query(put, [stop, actor])
    const intent = await request(bench, { kind: 'return_stray', payment })
    // No stop holds an adoption: once one that came later is announced, the return had its turn.
    const later = await paidDirectly()
    await request(bench, { kind: 'adopt', terms: later.terms, payment: later.payment })
    await until('an adoption is announced', async () => (await announcedFor(bench, later.payment)) === ADOPTION)
    await blocksLater(bench, 3)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    expect(await callsFor(intent)).to.deep.equal([])
    const lift = 'update market.payout_stops set lifted_at = now(), lifted_by = $2 where id = $1'
    await bench.client.query(lift, [stop, actor])
    await passStrayDelay(bench, payment)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    expect(await callsFor(intent)).to.deep.equal(['announceReturnStray', 'returnStray'])
    for (const { hash } of await transactionsOf(bench, intent)) {
      expect(facilitator.output()).to.match(new RegExp(`"hash":"${hash}".*"msg":"sent"`))
    }
    expect(await stateOf(payment)).to.equal(RETURNED)
    expect(await balanceOf(chain, buyer.address)).to.equal(before - PRICE)
  })

  test('return_stray: an announcement of another amount is replaced, not executed', async () => {
    const { chain } = bench
    const { payment } = await paidDirectly()
    const call = { address: chain.escrow, abi: escrowAbi, functionName: 'announceReturnStray' } as const
    const args = [payment.from, payment.nonce, PRICE - 1n] as const
    await mined(chain, chain.client.writeContract({ ...call, account: roleAccount(chain, 'resolver'), args }))
    const intent = await request(bench, { kind: 'return_stray', payment })
    await until('the return is announced anew', async () => (await callsFor(intent)).length > 0)
    expect(await callsFor(intent)).to.deep.equal(['announceReturnStray'])
    await bench.client.query('update market.intents set closed_at = now(), closing = $2 where id = $1', [
      intent,
      'voided',
    ])
  })

  test('a facilitator that starts during the delay announces nothing again, and goes on', async () => {
    const { terms, payment } = await paidDirectly()
    const intent = await request(bench, { kind: 'adopt', terms, payment })
    await until('an adoption is announced', async () => (await announcedFor(bench, payment)) === ADOPTION)
    await facilitator.stop()
    await tamper(bench, 'delete from facilitator.transactions where intent_id = $1', [intent])
    facilitator = await actHere(bench)
    await blocksLater(bench, 5)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    expect(await callsFor(intent)).to.deep.equal([])
    await passStrayDelay(bench, payment)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    expect(await callsFor(intent)).to.deep.equal(['adopt'])
  })

  test('an adoption that the pauser cancels has failed, and the payment can be returned', async () => {
    const { terms, payment } = await paidDirectly()
    const adopt = await request(bench, { kind: 'adopt', terms, payment })
    await until('an adoption is announced', async () => (await announcedFor(bench, payment)) === ADOPTION)
    await facilitator.stop()
    await blocksLater(bench, 3)
    const call = { address: bench.chain.escrow, abi: escrowAbi, functionName: 'cancelStray' } as const
    const account = roleAccount(bench.chain, 'deployer')
    const args = [payment.from, payment.nonce] as const
    await mined(bench.chain, bench.chain.client.writeContract({ ...call, account, args }))
    facilitator = await actHere(bench)
    expect(await outcomeOf(bench, adopt)).to.deep.equal({
      status: 'failed',
      reason: 'announcement_ended',
      tx_hash: null,
    })
    const back = await request(bench, { kind: 'return_stray', payment })
    await passStrayDelay(bench, payment)
    expect((await outcomeOf(bench, back)).status).to.equal('confirmed')
    expect(await stateOf(payment)).to.equal(RETURNED)
  })

  test('a return replaces an adoption that is asked for no more', async () => {
    const { terms, payment } = await paidDirectly()
    const adopt = await request(bench, { kind: 'adopt', terms, payment })
    await until('an adoption is announced', async () => (await announcedFor(bench, payment)) === ADOPTION)
    await bench.client.query('update market.intents set closed_at = now(), closing = $2 where id = $1', [
      adopt,
      'voided',
    ])
    const back = await request(bench, { kind: 'return_stray', payment })
    await until('a return is announced', async () => (await announcedFor(bench, payment)) === RETURN)
    await passStrayDelay(bench, payment)
    expect((await outcomeOf(bench, back)).status).to.equal('confirmed')
    expect(await stateOf(payment)).to.equal(RETURNED)
  })

  /** A payment for a hold that somebody took to the token instead. */
  async function paidDirectly() {
    const terms: Terms = await newTerms(bench.chain, seller.address, PRICE)
    const signed = await signForHold(bench.chain, buyer, terms)
    const { transactionHash } = await submitToToken(bench.chain, signed)
    return {
      terms,
      signed,
      payment: { from: buyer.address, nonce: signed.nonce, amount: PRICE, txHash: transactionHash },
    }
  }

  /** What was sent for an intent, in order. */
  async function callsFor(intent: string): Promise<string[]> {
    const sent = await transactionsOf(bench, intent)
    return sent.map(({ raw }) => {
      const { data = '0x' } = parseTransaction(raw as `0x02${string}`)
      return decodeFunctionData({ abi: escrowAbi, data }).functionName
    })
  }

  function stateOf({ from, nonce }: { from: `0x${string}`; nonce: `0x${string}` }) {
    const args = [holdId(nonce, from)] as const
    return bench.chain.client.readContract({
      address: bench.chain.escrow,
      abi: escrowAbi,
      functionName: 'stateOf',
      args,
    })
  }
})
