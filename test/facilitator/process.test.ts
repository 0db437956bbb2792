import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import type { StartedProcess } from '../../cli/machine/process.ts'
import { withOtherDomain } from '../kit/chain/altered.ts'
import { freeAccount, mintUsdc, newTerms, signForHold } from '../kit/chain/payments.ts'
import {
  type Bench,
  endFacilitator,
  environmentOf,
  facilitatorSpec,
  launchFacilitator,
  outcomeOf,
  request,
  startBench,
  startFacilitator,
  untilLogged,
} from '../kit/facilitator/facilitator.ts'

describe('the facilitator as a process', { timeout: 300_000 }, () => {
  let bench: Bench
  const buyer = freeAccount(0)
  const seller = freeAccount(1)
  const running = new Set<StartedProcess>()

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
  })

  afterEach(async () => {
    bench.proxy.intercept(undefined)
    for (const started of running) await endFacilitator(started, 'SIGKILL')
    running.clear()
  })

  after(() => bench.stop())

  test('a second one stands by, acts when the first is killed, ends cleanly when told, and logs no key [risk two-facilitators]', async () => {
    const first = await startFacilitator(facilitatorSpec(bench))
    const second = launchFacilitator(facilitatorSpec(bench, { LOG_LEVEL: 'trace' }))
    running.add(first).add(second)
    await untilLogged(second.output, 'standing by')
    expect(second.output()).to.not.contain('"acting"')
    await endFacilitator(first, 'SIGKILL')
    const terms = await newTerms(bench.chain, seller.address, 20_000_000n)
    const authorization = await signForHold(bench.chain, buyer, terms)
    const intent = await request(bench, { kind: 'fund', terms, authorization })
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    expect(await endFacilitator(second, 'SIGTERM')).to.equal('exit code 0')
    const accounts = Object.values(bench.chain.accounts)
    for (const { privateKey } of accounts) expect(second.output()).to.not.contain(privateKey.slice(2))
  })

  test('ends where the token would refuse every signature made for it [risk token-domain]', async () => {
    bench.proxy.intercept(withOtherDomain)
    const started = launchFacilitator(facilitatorSpec(bench))
    running.add(started)
    expect(await started.ended).to.equal('exit code 1')
    expect(started.output()).to.contain('has domain separator').and.not.contain('"acting"')
  })

  test('ends with what is wrong when it is told too little', async () => {
    const { SUBMITTER_KEYS: _left, ...env } = environmentOf(bench)
    const started = launchFacilitator({ ...facilitatorSpec(bench), env })
    expect(await started.ended).to.equal('exit code 1')
    expect(started.output()).to.contain('SUBMITTER_KEYS: is not set')
  })
})
