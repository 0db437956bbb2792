import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { expect } from 'chai'
import { toFunctionSelector } from 'viem'
import { STATE_DIR } from '../../../cli/machine/paths.ts'
import { launch, type ProcessSpec, type StartedProcess, signal, untilReady } from '../../../cli/machine/process.ts'
import { createCluster } from '../../../cli/stack/postgres/cluster.ts'
import type { RpcCall } from '../../e2e/rpcProxy.ts'
import {
  type Acting,
  actHere,
  type Bench,
  BLOCK_INTERVAL_SECONDS,
  letTimePass,
  outcomeOf,
  request,
  startBench,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'
import { type Outflows, startOutflows, type Wish } from '../../kit/facilitator/outflows.ts'
import { type Moment, type StatementProxy, startStatementProxy } from '../../kit/facilitator/statementProxy.ts'
import { copyTemplate } from '../../kit/stack/database.ts'
import { openWay, startStandby, type Way } from '../../kit/stack/standby.ts'
import { until } from '../../kit/until.ts'

const KINDS = ['payout', 'sweep'] as const
/** What is tried at a point: both in a deep run, else one and the other in turn. */
const kindsAt = (index: number) => (process.env.MARKET_TEST_DEEP ? KINDS : KINDS.slice(index % 2, (index % 2) + 1))
const QUARTER_HOUR_SECONDS = 900
type Ask = () => Promise<string[]>

const RESTORED = 'the file was restored'
const RECEIPT_OF_ANY = /"transactionHash"/
const TRANSFER = toFunctionSelector('transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)')
/** What follows the authorization, and comes before the transaction: whether the token would take it. */
const isTrial = (_answer: string, { params: [call] }: RpcCall) =>
  Boolean((call as { data?: string } | undefined)?.data?.startsWith(TRANSFER))

describe('a payout and a sweep, when the database is lost', { timeout: 900_000 }, () => {
  let bench: Bench
  let outflows: Outflows
  let statements: StatementProxy
  let facilitator: Acting
  let spec: ProcessSpec
  let postgres: StartedProcess
  let adminUrl: string
  let way: Way

  const startPostgres = async () => {
    postgres = launch(spec, join(STATE_DIR, `logs/test/postgres-${process.pid}.log`))
    postgres.unref()
    await untilReady(spec, postgres)
  }
  const act = async () => {
    facilitator = await actHere(bench, { ...outflows.environment, DATABASE_URL: statements.url })
  }
  const interval = (seconds: number) => bench.chain.client.setIntervalMining({ interval: seconds })

  before(async () => {
    const cluster = await createCluster({ durable: true })
    spec = cluster.spec
    await startPostgres()
    adminUrl = cluster.adminUrl
    way = await openWay(adminUrl)
    bench = await startBench({ database: await copyTemplate(way.url) })
    outflows = await startOutflows(bench)
    statements = await startStatementProxy(bench.database.roleUrls.facilitator)
    await act()
  })

  afterEach(() => bench.proxy.intercept(undefined))

  after(async () => {
    await facilitator.stop()
    statements.stop()
    await bench.stop()
    way.stop()
    signal(postgres, 'SIGINT')
    await postgres.ended
  })

  const ask = (wishes: readonly Wish[]) => Promise.all(wishes.map(({ payload }) => request(bench, payload)))
  const expectOnce = async (wishes: readonly Wish[], intents: readonly string[]) => {
    for (const [index, { effects }] of wishes.entries()) {
      expect((await outcomeOf(bench, intents[index] ?? '')).status).to.equal('confirmed')
      expect(await effects()).to.equal(1)
    }
  }

  /**
   * Steps in at the first call that fits, before or after the node has had it; the call goes on afterwards.
   */
  const atCall = (
    method: string,
    when: Moment,
    step: () => Promise<void>,
    isIt = (_answer: string, _call: RpcCall) => true,
  ) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    bench.proxy.intercept(async (call: RpcCall, forward) => {
      if (call.method !== method) return forward()
      const answer = when === 'after' ? await forward() : ''
      const goOn = () => answer || forward()
      if (!isIt(answer, call)) return goOn()
      bench.proxy.intercept(undefined)
      await step().then(resolve, reject)
      return goOn()
    })
    return promise
  }

  describe('by a crash of Postgres (an immediate stop)', () => {
    const crash = async () => {
      signal(postgres, 'SIGQUIT')
      await postgres.ended
    }
    const atStatement = (words: string, moment: Moment) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      statements.stopAt(words, moment, () => crash().then(resolve))
      return promise
    }
    let isAsked = false
    const points: Record<string, () => Promise<void>> = {
      'before its authorization is on file': () => atStatement('insert into facilitator.authorizations', 'before'),
      'when its authorization is on file': () => atStatement('insert into facilitator.authorizations', 'after'),
      'before its transaction is on file': () => atStatement('insert into facilitator.transactions', 'before'),
      'when its transaction is on file': () => atStatement('insert into facilitator.transactions', 'after'),
      'before it is broadcast': () => atCall('eth_sendRawTransaction', 'before', crash),
      'when it is broadcast': () => atCall('eth_sendRawTransaction', 'after', crash),
      // Receipts of what was asked before are still looked at while the next is being asked.
      'when it is mined': () =>
        atCall('eth_getTransactionReceipt', 'after', crash, (answer) => isAsked && RECEIPT_OF_ANY.test(answer)),
      'before its end is on file': () => atStatement('insert into facilitator.outcomes', 'before'),
      'when its end is on file': () => atStatement('insert into facilitator.outcomes', 'after'),
    }
    for (const [index, [point, crashes]] of Object.entries(points).entries()) {
      for (const kind of kindsAt(index)) {
        test(`${point}: the ${kind} is made once`, async () => {
          const wishes = [await outflows[kind]()]
          isAsked = false
          const crashed = crashes()
          const intents = await ask(wishes)
          isAsked = true
          await crashed
          await startPostgres()
          await expectOnce(wishes, intents)
        })
      }
    }
  })

  describe('and its standby promoted, which has everything', () => {
    /** Makes the server a standby and promotes it, which begins a timeline. */
    const failOver = async () => {
      signal(postgres, 'SIGINT')
      await postgres.ended
      const dataDir = spec.args[spec.args.indexOf('-D') + 1] ?? ''
      await writeFile(join(dataDir, 'standby.signal'), '')
      await startPostgres()
      await bench.client.query('select pg_promote()')
    }
    test('the facilitator that wrote last goes on at once, and so does the next', async () => {
      const wishes = [await outflows.payout()]
      await expectOnce(wishes, await ask(wishes))
      const { output } = facilitator
      await failOver()
      const others = [await outflows.payout()]
      await expectOnce(others, await ask(others))
      expect(output()).to.include('was lost').and.not.include(RESTORED)
      await facilitator.stop()
      await act()
      expect(facilitator.output()).not.to.include(RESTORED)
    })

    test('another one signs nothing until what may have been lost has expired', async () => {
      await facilitator.stop()
      await failOver()
      await act()
      expect(facilitator.output()).to.include(RESTORED)
    })
  })

  describe('and a standby that streamed from it promoted', () => {
    // What may have been signed before has expired.
    beforeEach(() => letTimePass(bench, QUARTER_HOUR_SECONDS + 10))

    const failOverTo = async (standby: Awaited<ReturnType<typeof startStandby>>) => {
      signal(postgres, 'SIGKILL')
      await postgres.ended
      await standby.promote()
      ;({ spec, process: postgres, adminUrl } = standby)
      way.leadTo(adminUrl)
    }

    test('which has everything: the facilitator goes on within seconds', async (context) => {
      const standby = await startStandby({ spec, adminUrl })
      await facilitator.stop()
      await act()
      const wishes = [await outflows.payout()]
      await expectOnce(wishes, await ask(wishes))
      await standby.catchUp()
      const others = [await outflows.payout()]
      const fromMs = performance.now()
      await failOverTo(standby)
      await expectOnce(others, await ask(others))
      context.diagnostic(
        `a payout was confirmed ${Math.round(performance.now() - fromMs)} ms after the primary was killed`,
      )
      expect(facilitator.output()).not.to.include(RESTORED)
    })

    test('which lacks the last of it: nothing is paid twice, and nothing is signed until what it lacks has expired', async () => {
      const standby = await startStandby({ spec, adminUrl })
      await standby.detach()
      const lost = [await outflows.payout(), await outflows.sweep()]
      await expectOnce(lost, await ask(lost))
      await failOverTo(standby)
      await until('the facilitator has seen what happened', () => facilitator.output().includes(RESTORED))
      await expectOnce(lost, await ask(lost))
      const next = [await outflows.payout()]
      const intents = await ask(next)
      await letTimePass(bench, QUARTER_HOUR_SECONDS / 2)
      expect(await next[0]?.effects()).to.equal(0)
      await letTimePass(bench, QUARTER_HOUR_SECONDS / 2 + 10)
      await expectOnce(next, intents)
    })
  })

  describe('and put back to an earlier copy [risk lost-file]', () => {
    // After the restore before, nothing is signed for a quarter of an hour.
    beforeEach(() => letTimePass(bench, QUARTER_HOUR_SECONDS + 10))

    const save = () => bench.database.save()
    /** Moments to make the copy at. Each asks, and answers the intents once the copy is made. */
    const points: Record<string, (ask: Ask) => Promise<string[]>> = {
      'before it was asked for': async (ask) => {
        await save()
        return ask()
      },
      'after it was asked for': async (ask) => {
        await facilitator.stop()
        const intents = await ask()
        await save()
        await act()
        return intents
      },
      'with its authorization on file': (ask) => during(ask, atCall('eth_call', 'before', save, isTrial)),
      'with its transaction on file': (ask) => during(ask, atCall('eth_sendRawTransaction', 'before', save)),
      'when it was broadcast': (ask) => during(ask, atCall('eth_sendRawTransaction', 'after', save)),
      'when it was mined': (ask) =>
        during(
          ask,
          atCall('eth_getTransactionReceipt', 'after', save, (answer) => RECEIPT_OF_ANY.test(answer)),
        ),
      'when it had ended': async (ask) => {
        const intents = await ask()
        for (const intent of intents) await outcomeOf(bench, intent)
        await save()
        return intents
      },
    }
    const during = async (ask: Ask, saved: Promise<void>) => {
      const intents = await ask()
      await saved
      return intents
    }
    /** Puts the copy back, and asks again where it is older than the wishes. */
    const putBack = async (wishes: readonly Wish[], intents: readonly string[]) => {
      await facilitator.stop()
      await bench.database.restore()
      await act()
      const known = await bench.client.query('select from market.intents where id = any ($1)', [intents])
      return known.rowCount ? intents : ask(wishes)
    }

    for (const [index, [point, copyAt]] of Object.entries(points).entries()) {
      for (const kind of kindsAt(index)) {
        test(`${point}: the ${kind}, long made, is not made again`, async () => {
          const wishes = [await outflows[kind]()]
          const intents = await copyAt(() => ask(wishes))
          await expectOnce(wishes, intents)
          await expectOnce(wishes, await putBack(wishes, intents))
        })
      }
    }

    for (const kind of KINDS) {
      test(`before it was asked for: the ${kind}, on its way to a block, is not made again`, async () => {
        const wishes = [await outflows[kind]()]
        await save()
        await interval(0)
        const intents = await ask(wishes)
        const areWritten = async (intent: string) => (await transactionsOf(bench, intent)).length === 1
        for (const intent of intents) await until('it is written down', () => areWritten(intent))
        const pending = () => bench.chain.client.getBlock({ blockTag: 'pending' })
        await until('all are on their way', async () => (await pending()).transactions.length >= wishes.length)
        const again = await putBack(wishes, intents)
        await interval(BLOCK_INTERVAL_SECONDS)
        await expectOnce(wishes, again)
      })
    }
  })
})
