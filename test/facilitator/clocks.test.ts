import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Hex, toHex } from 'viem'
import { nextEntry } from '../../facilitator/file/fileChain.ts'
import type { RpcProxy } from '../e2e/rpcProxy.ts'
import { roleAccount } from '../kit/chain/payments.ts'
import { type Custody, startCustody } from '../kit/facilitator/custody.ts'
import { blocksLater, currentOutcome, letTimePass, outcomeOf, request } from '../kit/facilitator/facilitator.ts'
import { until } from '../kit/until.ts'

const [DAY_SECONDS, TEN_YEARS] = [86_400, 315_360_000]
const NONE = { RELEASE_UNPROVED_DAILY_MICROS: '0' }
const SUM = { RELEASE_UNPROVED_DAILY_MICROS: '1000000000000' }

describe('a node whose clock is wrong', { timeout: 300_000 }, () => {
  let custody: Custody

  before(async () => {
    custody = await startCustody()
  })
  afterEach(async () => {
    custody.bench.proxy.intercept(undefined)
    await custody.stopActing()
  })
  after(() => custody?.stop())

  /** Has the node add so many seconds to the time of each block. */
  const shift = (proxy: RpcProxy, seconds: number) =>
    proxy.intercept(async ({ method }, forward) => {
      const answer = await forward()
      if (!method.startsWith('eth_getBlockBy')) return answer
      return answer.replace(
        /"timestamp":"(0x[0-9a-f]+)"/g,
        (_all, time) => `"timestamp":"${toHex(BigInt(time) + BigInt(seconds))}"`,
      )
    })
  const onFile = async () => {
    const { rows } = await custody.bench.client.query<{ newest: string }>(
      `select greatest((select max(due_at) from facilitator.first_sights),
         (select max(valid_before) from facilitator.authorizations),
         (select max(signs_from) from facilitator.identities))::text as newest`,
    )
    return Number(rows[0]?.newest ?? 0)
  }

  for (const [what, env] of [
    ['waits', NONE],
    ['goes', SUM],
  ] as const)
    test(`years ahead leaves no time on file: what ${what} without proof is paid as if it had not lied [risk node]`, async () => {
      const { bench } = custody
      const facilitator = await custody.act(env)
      const payout = await custody.newPayout()
      shift(bench.proxy, TEN_YEARS)
      const intent = await request(bench, payout)
      await blocksLater(bench, 40)
      const { timestamp } = await bench.chain.client.getBlock()
      bench.proxy.intercept(undefined)
      expect(await onFile()).to.be.below(Number(timestamp) + 2 * DAY_SECONDS)
      await until('a time is on file', onFile)
      await letTimePass(bench, 2 * DAY_SECONDS)
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
      expect(facilitator.output()).to.include('ahead of the database')
    })

  test('once far ahead has left a time on file from which the hot wallet signs: a quarter of an hour is waited for', async () => {
    const { bench } = custody
    await custody.act(SUM)
    expect(await custody.payOnce()).to.equal('confirmed')
    await custody.stopActing()
    const { rows } = await bench.client.query<{ number: string; hash: Hex; identity: string }>(
      `select number, hash, facilitator.current_identity() as identity from (
         select number, hash from facilitator.authorizations union select number, hash from facilitator.identities) entry
       order by number desc limit 1`,
    )
    const [newest] = rows
    if (!newest) throw new Error('the file is empty')
    const hotWallet = roleAccount(bench.chain, 'hotWallet')
    const { timestamp } = await bench.chain.client.getBlock()
    const signsFrom = timestamp + BigInt(TEN_YEARS)
    const entry = await nextEntry(
      { at: { ...bench.chain, hotWallet: hotWallet.address }, hotWallet },
      { number: BigInt(newest.number), hash: newest.hash },
      { kind: 'identity', identity: newest.identity, signsFrom },
    )
    await bench.client.query(
      `insert into facilitator.identities (number, previous, identity, signs_from, hash, seal)
       values ($1, $2, $3, $4, $5, $6)`,
      [entry.number, entry.previous, newest.identity, signsFrom, entry.hash, entry.seal],
    )
    await custody.act(SUM)
    const intent = await request(bench, await custody.newPayout())
    await blocksLater(bench, 10)
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    await letTimePass(bench, 910)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })
})
