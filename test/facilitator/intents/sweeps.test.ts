import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import type { Address } from 'viem'
import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { sweepNonce } from '../../../protocol/payments/nonces.ts'
import { balanceOf, depositFrom } from '../../kit/chain/custody.ts'
import {
  freeAccount,
  mineBlocks,
  mintUsdc,
  roleAccount,
  signForCustody,
  signTransfer,
  submitToToken,
} from '../../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  blocksLater,
  countReads,
  currentOutcome,
  outcomeOf,
  request,
  requestStored,
  resumeMining,
  startBench,
  stopMining,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'
import { isInPool, untilOnFile } from '../../kit/facilitator/funds.ts'
import { until } from '../../kit/until.ts'

const CEILING = 100_000_000n

describe('sweeps of the hot wallet', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting
  let hotWallet: Address
  let sequence = 0n
  const cold = freeAccount(4)
  const buyer = freeAccount(0)

  const reserve = { COLD_WALLET_ADDRESS: cold.address, HOT_WALLET_CEILING_MICROS: String(CEILING) }
  const next = (amount: bigint): IntentOf<'sweep'> => ({ kind: 'sweep', sequence: ++sequence, amount })
  const kept = () => balanceOf(bench.chain, hotWallet)
  const sweep = async (intent: IntentOf<'sweep'>) => {
    const id = await request(bench, intent)
    const { status, reason } = await outcomeOf(bench, id)
    return { id, ended: reason === null ? status : `${status}: ${reason}` }
  }
  const refused = async (intent: IntentOf<'sweep'>) => {
    const { id, ended } = await sweep(intent)
    expect(await transactionsOf(bench, id)).to.deep.equal([])
    return ended
  }

  before(async () => {
    bench = await startBench()
    hotWallet = bench.chain.accounts.hotWallet.address
    await mintUsdc(bench.chain, buyer.address, 1_000_000_000n)
    // Payouts without proof wait for their delay.
    facilitator = await actHere(bench, { ...reserve, RELEASE_UNPROVED_DAILY_MICROS: '0' })
  })

  beforeEach(async () => {
    const missing = 2n * CEILING - (await kept())
    if (missing > 0n) await mintUsdc(bench.chain, hotWallet, missing)
    await blocksLater(bench, 3)
  })

  after(async () => {
    await facilitator.stop()
    await bench.stop()
  })

  test('take what is beyond the ceiling to the cold wallet, once under a number [risk hot-wallet facilitator-process]', async () => {
    const surplus = (await kept()) - CEILING
    const before = await balanceOf(bench.chain, cold.address)
    const intent = next(surplus)
    expect((await sweep(intent)).ended).to.equal('confirmed')
    expect(await balanceOf(bench.chain, cold.address)).to.equal(before + surplus)
    // Another copy of the database asks for it again, as it was and as it was not.
    await mintUsdc(bench.chain, hotWallet, 2n * surplus)
    await blocksLater(bench, 3)
    expect(await refused(intent)).to.equal('confirmed')
    expect(await refused({ ...intent, amount: surplus + 1n })).to.equal('failed: swept_otherwise')
    expect(await balanceOf(bench.chain, cold.address)).to.equal(before + surplus)
  })

  test('never take what is below the ceiling, whatever the database says', async () => {
    const surplus = (await kept()) - CEILING
    expect(await refused(next(surplus + 1n))).to.equal('refused: no_surplus')
    expect(await refused(next(0n))).to.equal('refused: amount_zero')
    const id = await requestStored(bench, 'sweep', { kind: 'sweep', sequence: '99', amount: '1', to: buyer.address })
    expect(await outcomeOf(bench, id)).to.include({ status: 'refused', reason: 'payload_invalid' })
  })

  test('believe no money that is not there at confirmed depth', async () => {
    const { client } = bench.chain
    const surplus = (await kept()) - CEILING
    await client.setIntervalMining({ interval: 0 })
    await mintUsdc(bench.chain, hotWallet, 10n * CEILING)
    const { ended } = await sweep(next(surplus + 1n))
    await client.setIntervalMining({ interval: 0.1 })
    expect(ended).to.equal('refused: no_surplus')
    await blocksLater(bench, 3)
    expect((await sweep(next((await kept()) - CEILING))).ended).to.equal('confirmed')
  })

  test('leave what payouts are to be paid from', async () => {
    // It waits for the delay of distributions without proof.
    const signed = await signForCustody(bench.chain, buyer, 2n * CEILING)
    const deposit = depositFrom(signed, (await submitToToken(bench.chain, signed)).transactionHash)
    await blocksLater(bench, 3)
    const payout = { kind: 'payout', deposit, leg: 'payer', to: buyer.address, amount: 2n * CEILING } as const
    const waiting = await request(bench, payout)
    expect(await refused(next((await kept()) - CEILING))).to.equal('refused: no_surplus')
    await bench.client.query(`update market.intents set closed_at = now(), closing = 'voided' where id = $1`, [waiting])
    expect((await sweep(next((await kept()) - CEILING))).ended).to.equal('confirmed')
  })

  test('keep nothing for payouts of deposits that do not exist, or for more than a deposit [risk market-api]', async () => {
    const signed = await signForCustody(bench.chain, buyer, 2n * CEILING)
    const unpaid = depositFrom(signed, `0x${'ab'.repeat(32)}`)
    const amount = 10n ** 17n
    const made = { kind: 'payout', deposit: unpaid, leg: 'payer', to: buyer.address, amount: 2n * CEILING } as const
    const intents = [
      await request(bench, made),
      await request(bench, { ...made, deposit: { ...unpaid, amount }, amount }),
      await requestStored(bench, 'payout', { kind: 'payout', amount: String(amount) }),
    ]
    expect((await sweep(next((await kept()) - CEILING))).ended).to.equal('confirmed')
    await bench.client.query(`update market.intents set closed_at = now(), closing = 'voided' where id = any ($1)`, [
      intents,
    ])
  })

  test('wait while payouts are stopped, with nothing signed', async () => {
    const stop = `insert into market.payout_stops (id, reason, raised_by) values ($1, 'a test', 'market:human:1')`
    const stopId = randomUUID()
    await bench.client.query(stop, [stopId])
    const intent = await request(bench, next((await kept()) - CEILING))
    await blocksLater(bench, 5)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    const nonce = sweepNonce({ ...bench.chain, hotWallet }, sequence)
    const { rows } = await bench.client.query('select 1 from facilitator.authorizations where nonce = $1', [nonce])
    expect(rows).to.deep.equal([])
    await bench.client.query(`update market.payout_stops set lifted_at = now(), lifted_by = 'x' where id = $1`, [
      stopId,
    ])
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })

  test('are made one at a time: two that are each within the surplus are not both signed', async () => {
    bench.proxy.intercept(async ({ method }, forward) => {
      if (method !== 'eth_sendRawTransaction') return forward()
      return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'the pool is full' } })
    })
    const surplus = (await kept()) - CEILING
    const [one, other] = [next(surplus), next(surplus)]
    const both = await Promise.all([request(bench, one), request(bench, other)])
    const nonces = [one, other].map((each) => sweepNonce({ ...bench.chain, hotWallet }, each.sequence))
    const signed = 'select 1 from facilitator.authorizations where nonce = any ($1)'
    const countSigned = async () => (await bench.client.query(signed, [nonces])).rowCount ?? 0
    await until('something is signed', async () => (await countSigned()) > 0)
    await blocksLater(bench, 6)
    expect(await countSigned()).to.equal(1)
    bench.proxy.intercept(undefined)
    const ended = await Promise.all(both.map((intent) => outcomeOf(bench, intent)))
    expect(ended.map(({ status }) => status).sort()).to.deep.equal(['confirmed', 'refused'])
    expect(await kept()).to.equal(CEILING)
  })

  test('wait for one before them until it is final on the chain', async () => {
    const surplus = (await kept()) - CEILING
    await stopMining(bench)
    const first = await request(bench, next(surplus))
    const [sent] = await untilOnFile(bench, first, 1)
    await until('the node has it', () => isInPool(bench, sent?.hash ?? '0x'))
    await mineBlocks(bench.chain, 1)
    const intent = next(1n)
    const looks = countReads(bench, sweepNonce({ ...bench.chain, hotWallet }, intent.sequence))
    const second = await request(bench, intent)
    await until('it was looked at again', () => looks() > 1)
    expect(await currentOutcome(bench, second)).to.equal(undefined)
    bench.proxy.intercept(undefined)
    await resumeMining(bench)
    expect((await outcomeOf(bench, first)).status).to.equal('confirmed')
    expect(await outcomeOf(bench, second)).to.include({ status: 'refused', reason: 'no_surplus' })
  })

  test('one made by hand under a number, to somebody else, is not taken for one', async () => {
    const intent = next(1n)
    const nonce = sweepNonce({ ...bench.chain, hotWallet }, intent.sequence)
    const theft = { to: buyer.address, value: 1n, nonce }
    await submitToToken(bench.chain, await signTransfer(bench.chain, roleAccount(bench.chain, 'hotWallet'), theft))
    await blocksLater(bench, 3)
    expect(await refused(intent)).to.equal('failed: swept_otherwise')
  })

  test('are refused where no cold wallet is configured', async () => {
    await facilitator.stop()
    facilitator = await actHere(bench)
    expect(await refused(next(1n))).to.equal('refused: no_cold_wallet')
    await facilitator.stop()
    facilitator = await actHere(bench, reserve)
  })
})
