import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
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

const FORBIDDEN = '42501'
const DAY_SECONDS = 86_400
const QUARTER_HOUR_SECONDS = 900

describe('the file of the facilitator', { timeout: 300_000 }, () => {
  let custody: Custody
  let bench: Bench
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
    custody = await startCustody()
    bench = custody.bench
  })
  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await custody.stopActing()
    await bench.client.query(
      `update market.intents set closed_at = market.now(), closing = 'voided' where closed_at is null`,
    )
  })
  after(() => custody.stop())

  test('is rewritten by nobody with the role of the facilitator: no second leg is signed, after a restart neither [risk market-facilitator]', async () => {
    await custody.act()
    loseNextForGood(bench)
    const first = await custody.newPayout()
    await request(bench, first)
    await until('the first is signed', () => custody.signedFor(first))
    await custody.stopActing()
    for (const change of [
      `update facilitator.authorizations set nonce = 'gone'`,
      `update facilitator.authorizations set valid_before = 1`,
      'delete from facilitator.authorizations',
      'truncate facilitator.authorizations',
    ])
      expect(await attempt(bench.database.roleUrls.facilitator, change), change).to.equal(FORBIDDEN)
    await custody.act()
    const second = custody.toBuyer(first.deposit)
    const intent = await request(bench, second)
    await blocksLater(bench, 20)
    expect(await custody.signedFor(second)).to.equal(0)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
  })

  test('begins no day of the limit anew by rows with an older time', async () => {
    const limit = { DAILY_PAYOUT_MICROS: NET.toString() }
    // What was signed before is of another day.
    await letTimePass(bench, DAY_SECONDS)
    await custody.act(limit)
    expect(await custody.payOnce()).to.equal('confirmed')
    await custody.stopActing()
    const older = `update facilitator.authorizations set valid_before = valid_before - ${DAY_SECONDS}`
    expect(await attempt(bench.database.roleUrls.facilitator, older)).to.equal(FORBIDDEN)
    await custody.act(limit)
    const next = await custody.newPayout()
    await request(bench, next)
    await blocksLater(bench, 20)
    expect(await custody.signedFor(next)).to.equal(0)
  })

  test('has no entry that the key did not seal: others’ rows are named and ignored, and take no entry’s number', async () => {
    const forged = `insert into facilitator.authorizations
        (number, previous, nonce, leg, valid_before, recipient, amount_micros, signature, hash, seal)
      select number + 1, hash, nonce, leg, valid_before, recipient, amount_micros, signature, '0x' || repeat('0', 64), seal
      from facilitator.authorizations order by number desc limit 1`
    expect(await attempt(bench.database.roleUrls.facilitator, forged)).to.equal('done')
    const { output } = await custody.act()
    expect(output()).to.include('was not sealed by the key')
    expect(output()).not.to.include('the file was restored')
    const payout = await custody.newPayout()
    expect((await outcomeOf(bench, await request(bench, payout))).status).to.equal('confirmed')
    const numbers = `select number from facilitator.authorizations group by 1 having count(*) > 1`
    expect((await bench.client.query(numbers)).rowCount).to.equal(1)
  })

  test('is not whole with a gap: the hot wallet signs nothing until what is missing has expired', async () => {
    await custody.act()
    for (let count = 0; count < 2; count++) expect(await custody.payOnce()).to.equal('confirmed')
    await custody.stopActing()
    await tamper(
      bench,
      'delete from facilitator.authorizations where number = (select max(number) - 1 from facilitator.authorizations)',
    )
    const { output } = await custody.act()
    expect(output()).to.include('the file was restored')
    const payout = await custody.newPayout()
    const intent = await request(bench, payout)
    await blocksLater(bench, 20)
    expect(await custody.signedFor(payout)).to.equal(0)
    await letTimePass(bench, QUARTER_HOUR_SECONDS + 10)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    // The gap has been waited out: it is none for the next start.
    await custody.stopActing()
    expect((await custody.act()).output()).not.to.include('the file was restored')
  })

  test('that is empty is whole only where the chain shows that the hot wallet never sent anything', async () => {
    await tamper(bench, 'delete from facilitator.authorizations')
    await tamper(bench, 'delete from facilitator.identities')
    expect((await custody.act()).output()).to.include('the file was restored')
    await letTimePass(bench, QUARTER_HOUR_SECONDS + 10)
  })

  test('is locked by nobody with the role of the facilitator', async () => {
    for (const table of ['authorizations', 'identities', 'outcomes', 'transactions'])
      expect(
        await attempt(bench.database.roleUrls.facilitator, 'begin', `lock table facilitator.${table}`),
        table,
      ).to.equal(FORBIDDEN)
  })

  test('is written although somebody else granted the role something [risk any-login]', async () => {
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
      await custody.act()
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
      await custody.act()
      expect(await custody.payOnce()).to.equal('confirmed')
    } finally {
      await thief.end()
    }
  })
})
