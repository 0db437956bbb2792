import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import type { Address, Hex } from 'viem'
import type { IntentOf } from '../../protocol/intents.ts'
import { payoutNonce } from '../../protocol/nonces.ts'
import { bindWallet, depositFrom } from '../chain/custody.ts'
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
const FORBIDDEN = '42501'
const DAY_SECONDS = 86_400
const QUARTER_HOUR_SECONDS = 900

describe('the file of the facilitator', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting | undefined
  let hotWallet: Address
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

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
  /** Does something as a role, in a session of its own. Answers what came of it. */
  const attempt = async (url: string, ...acts: string[]) => {
    const role = new pg.Client(url)
    await role.connect()
    try {
      for (const act of acts) await role.query(act)
      return 'done'
    } catch (error) {
      return (error as pg.DatabaseError).code
    } finally {
      await role.end()
    }
  }

  before(async () => {
    bench = await startBench()
    hotWallet = bench.chain.accounts.hotWallet.address
    await mintUsdc(bench.chain, buyer.address, 1_000_000_000n)
    await mintUsdc(bench.chain, hotWallet, 1_000_000_000n)
  })
  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await stop()
    await bench.client.query(
      `update market.intents set closed_at = market.now(), closing = 'voided' where closed_at is null`,
    )
  })
  after(() => bench.stop())

  test('is rewritten by nobody with the role of the facilitator: no second leg is signed, after a restart neither', async () => {
    await act()
    loseNextForGood(bench)
    const deposit = await newDeposit()
    const first = await toSeller(deposit)
    await request(bench, first)
    await until(async () => (await signedUnder(nonceOf(first))) > 0)
    await stop()
    for (const change of [
      `update facilitator.authorizations set nonce = 'gone'`,
      `update facilitator.authorizations set valid_before = 1`,
      'delete from facilitator.authorizations',
      'truncate facilitator.authorizations',
    ])
      expect(await attempt(bench.database.roleUrls.facilitator, change), change).to.equal(FORBIDDEN)
    await act()
    const second: IntentOf<'payout'> = { kind: 'payout', deposit, leg: 'payer', to: buyer.address, amount: PRICE }
    const intent = await request(bench, second)
    await blocksLater(bench, 20)
    expect(await signedUnder(nonceOf(second))).to.equal(0)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
  })

  test('begins no day of the limit anew by rows with an older time', async () => {
    const limit = { DAILY_PAYOUT_MICROS: NET.toString() }
    // What was signed before is of another day.
    await bench.chain.client.increaseTime({ seconds: DAY_SECONDS })
    await act(limit)
    expect((await outcomeOf(bench, await request(bench, await toSeller(await newDeposit())))).status).to.equal(
      'confirmed',
    )
    await stop()
    const older = `update facilitator.authorizations set valid_before = valid_before - ${DAY_SECONDS}`
    expect(await attempt(bench.database.roleUrls.facilitator, older)).to.equal(FORBIDDEN)
    await act(limit)
    const next = await toSeller(await newDeposit())
    await request(bench, next)
    await blocksLater(bench, 20)
    expect(await signedUnder(nonceOf(next))).to.equal(0)
  })

  test('has no entry that the key did not seal: others’ rows are named and ignored, and take no entry’s number', async () => {
    const forged = `insert into facilitator.authorizations
        (number, previous, nonce, leg, valid_before, recipient, amount_micros, signature, hash, seal)
      select number + 1, hash, nonce, leg, valid_before, recipient, amount_micros, signature, repeat('0', 66), seal
      from facilitator.authorizations order by number desc limit 1`
    expect(await attempt(bench.database.roleUrls.facilitator, forged)).to.equal('done')
    const { output } = await act()
    expect(output()).to.include('was not sealed by the key')
    expect(output()).not.to.include('the file was restored')
    const payout = await toSeller(await newDeposit())
    expect((await outcomeOf(bench, await request(bench, payout))).status).to.equal('confirmed')
    const numbers = `select number from facilitator.authorizations group by 1 having count(*) > 1`
    expect((await bench.client.query(numbers)).rowCount).to.equal(1)
  })

  test('is not whole with a gap: the hot wallet signs nothing until what is missing has expired', async () => {
    await act()
    for (let count = 0; count < 2; count++)
      expect((await outcomeOf(bench, await request(bench, await toSeller(await newDeposit())))).status).to.equal(
        'confirmed',
      )
    await stop()
    await tamper(
      bench,
      'delete from facilitator.authorizations where number = (select max(number) - 1 from facilitator.authorizations)',
    )
    const { output } = await act()
    expect(output()).to.include('the file was restored')
    const payout = await toSeller(await newDeposit())
    const intent = await request(bench, payout)
    await blocksLater(bench, 20)
    expect(await signedUnder(nonceOf(payout))).to.equal(0)
    await bench.chain.client.increaseTime({ seconds: QUARTER_HOUR_SECONDS + 10 })
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    // The gap has been waited out: it is none for the next start.
    await stop()
    expect((await act()).output()).not.to.include('the file was restored')
  })

  test('that is empty is whole only where the chain shows that the hot wallet never sent anything', async () => {
    await tamper(bench, 'delete from facilitator.authorizations')
    await tamper(bench, 'delete from facilitator.identities')
    expect((await act()).output()).to.include('the file was restored')
    await bench.chain.client.increaseTime({ seconds: QUARTER_HOUR_SECONDS + 10 })
  })

  test('is locked by nobody with the role of the facilitator', async () => {
    for (const table of ['authorizations', 'identities', 'outcomes', 'transactions'])
      expect(
        await attempt(bench.database.roleUrls.facilitator, 'begin', `lock table facilitator.${table}`),
        table,
      ).to.equal(FORBIDDEN)
  })

  test('is written although somebody else granted the role something', async () => {
    const stranger = `stranger_${process.pid}`
    await bench.client.query(`create role ${stranger}`)
    await bench.client.query(`create schema stranger authorization ${stranger}`)
    try {
      const gift = [
        `set role ${stranger}`,
        'create table stranger.gift (id integer)',
        'grant usage on schema stranger to market_facilitator',
        'grant insert, update, delete on stranger.gift to market_facilitator',
      ]
      expect(await attempt(bench.database.url, ...gift)).to.equal('done')
      expect(await attempt(bench.database.roleUrls.facilitator, 'delete from stranger.gift')).to.equal('done')
      await act()
    } finally {
      await bench.client.query(`drop schema stranger cascade; drop role ${stranger}`)
    }
  })

  test('is written although somebody else holds any lock that a session can take', async () => {
    const thief = new pg.Client(bench.database.roleUrls.api)
    await thief.connect()
    // The number by which facilitators used to keep each other away.
    await thief.query('select pg_advisory_lock(3405691582)')
    try {
      await act()
      expect((await outcomeOf(bench, await request(bench, await toSeller(await newDeposit())))).status).to.equal(
        'confirmed',
      )
    } finally {
      await thief.end()
    }
  })
})
