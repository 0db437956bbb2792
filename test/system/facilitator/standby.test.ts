import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type ProcessSpec, type StartedProcess, signal } from '../../../cli/machine/process.ts'
import { mintUsdc } from '../../kit/chain/payments.ts'
import {
  type Bench,
  endFacilitator,
  facilitatorSpec,
  launchFacilitator,
  outcomeOf,
  request,
  startBench,
  transactionsOf,
  untilLogged,
} from '../../kit/facilitator/facilitator.ts'
import { buyer, newFund } from '../../kit/facilitator/funds.ts'
import { type Outflows, startOutflows, usesOf, type Wish } from '../../kit/facilitator/outflows.ts'
import { until } from '../../kit/until.ts'

/** Until another facilitator acts in the place of one that was killed, by the default of LEASE_MS. */
const TAKEOVER_MS = 10_000
const DEFAULT_LEASE_MS = '5000'
/** How many broadcasts the one that acts gets through before something happens to it. */
const BROADCASTS = 5

describe('two facilitators with the same keys', { timeout: 300_000 }, () => {
  let bench: Bench
  let spec: ProcessSpec
  let outflows: Outflows
  let both: StartedProcess[]

  const acts = ({ output }: StartedProcess) => output().includes('"acting"')
  const launchBoth = async () => {
    both = ['one', 'other'].map((name) => launchFacilitator({ ...spec, name: `facilitator-${name}` }))
    await until(
      'one acts and one stands by',
      () => both.some(acts) && both.some(({ output }) => output().includes('standing by')),
    )
    const [active, standby] = acts(both[0] as StartedProcess) ? both : both.toReversed()
    if (!active || !standby) throw new Error('there are two')
    expect(acts(standby)).to.equal(false)
    return { active, standby }
  }
  /** Asks for some of each kind at once. */
  const wishAll = async () => {
    const fund = async (): Promise<Wish> => {
      const payload = await newFund(bench)
      return { payload, effects: () => usesOf(bench, buyer.address, payload.authorization.nonce) }
    }
    const makers = [...Array.from({ length: 8 }, () => fund), ...Array.from({ length: 4 }, () => outflows.payout)]
    const wishes: Wish[] = []
    // One account submits all deposits.
    for (const make of [...makers, outflows.sweep]) wishes.push(await make())
    return Promise.all(wishes.map(async (wish) => ({ ...wish, intent: await request(bench, wish.payload) })))
  }
  const expectEachOnce = async (wishes: Awaited<ReturnType<typeof wishAll>>) => {
    for (const { intent, effects } of wishes) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
      expect(await effects()).to.equal(1)
      // A replacement at a higher fee has the nonce of what it replaces.
      const places = (await transactionsOf(bench, intent)).map(({ signer, nonce }) => `${signer} ${nonce}`)
      expect(new Set(places).size).to.equal(1)
    }
  }
  /**
   * Has something happen in the middle of the work, with broadcasts on their way. They arrive once
   * `released`.
   */
  const amid = (happen: () => void, released: Promise<void>): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let broadcasts = 0
    bench.proxy.intercept(async ({ method }, forward) => {
      if (method !== 'eth_sendRawTransaction' || ++broadcasts <= BROADCASTS) return forward()
      bench.proxy.intercept(undefined)
      happen()
      resolve()
      await released
      return forward()
    })
    return promise
  }

  before(async () => {
    bench = await startBench()
    outflows = await startOutflows(bench)
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
    spec = facilitatorSpec(bench, { ...outflows.environment, LEASE_MS: DEFAULT_LEASE_MS })
  })

  afterEach(async () => {
    bench.proxy.intercept(undefined)
    for (const started of both) await endFacilitator(started, 'SIGKILL')
  })

  after(() => bench.stop())

  test('started at once: one acts; killed amid much work, it is replaced within ten seconds, and all is done once', async () => {
    const { active, standby } = await launchBoth()
    const killed = amid(
      () => signal(active, 'SIGKILL'),
      active.ended.then(() => {}),
    )
    const wishes = await wishAll()
    await killed
    const fromMs = performance.now()
    await until('the other acts', () => acts(standby))
    expect(performance.now() - fromMs).to.be.below(TAKEOVER_MS)
    await expectEachOnce(wishes)
  })

  test('one falls asleep amid much work and wakes up replaced: it does nothing more, and all is done once', async () => {
    const { active, standby } = await launchBoth()
    const { promise: awake, resolve: onAwake } = Promise.withResolvers<void>()
    const asleep = amid(() => signal(active, 'SIGSTOP'), awake)
    const wishes = await wishAll()
    await asleep
    await until('the other acts', () => acts(standby))
    signal(active, 'SIGCONT')
    onAwake()
    await untilLogged(active.output, 'standing by')
    await expectEachOnce(wishes)
    expect(active.output().match(/"acting"/g)).to.have.length(1)
    await expectEachOnce(await wishAll())
  })
})
