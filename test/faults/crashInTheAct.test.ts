import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type CrashStack, startCrashStack } from '../e2e/crashStack.ts'
import { finish } from '../e2e/persistence.ts'
import { expectCleanAudit, expectSettledOnce } from '../e2e/settlement.ts'
import { MODES, type Mode, type Placed, place } from '../e2e/trading.ts'
import type { StackProcess } from '../stack/stack.ts'

/** A moment in the life of a transaction, by the call to the node that is under way in it. */
interface Moment {
  when: string
  method: string
  /** Whether the call reaches the node before the kill. The answer never comes. */
  isForwarded: boolean
}

const MOMENTS: readonly Moment[] = [
  { when: 'before it writes the transaction down', method: 'eth_maxPriorityFeePerGas', isForwarded: false },
  { when: 'between writing it down and broadcasting', method: 'eth_sendRawTransaction', isForwarded: false },
  { when: 'between broadcasting and the answer', method: 'eth_sendRawTransaction', isForwarded: true },
]

describe('kill -9 in the act', () => {
  let running: CrashStack
  const trades: Placed[] = []

  before(async () => {
    running = await startCrashStack({ atCommits: true })
  })

  after(() => running?.stop())

  for (const mode of MODES) {
    for (const moment of MOMENTS) {
      test(`of the facilitator, ${moment.when}, at the payment and at the distribution (${mode})`, async () => {
        const trade = await newTrade(mode)
        const dying = killAtCalls('facilitator', moment, 2)
        await finish(running.stack, running.parties, trade)
        await dying
        await expectAllSettledOnce()
      })
    }
  }

  test('of Postgres, between broadcast and answer, at the payment and at the distribution', async () => {
    const both = await Promise.all(MODES.map(newTrade))
    const dying = killAtCalls('postgres', { when: '', method: 'eth_sendRawTransaction', isForwarded: true }, 2)
    await Promise.all(both.map((trade) => finish(running.stack, running.parties, trade)))
    await dying
    await expectAllSettledOnce()
  })

  for (const victim of ['api', 'worker'] as const) {
    test(`of the ${victim}, before and after its commits`, async (context) => {
      const both = await Promise.all(MODES.map(newTrade))
      const kills = killAtCommits(victim)
      await Promise.all(both.map((trade) => finish(running.stack, running.parties, trade)))
      const count = await kills.end()
      context.diagnostic(`killed around ${count} commits`)
      expect(count).to.be.greaterThan(2)
      await expectAllSettledOnce()
    })
  }

  test('an auditor finds nothing', () => expectCleanAudit(running.stack, running.parties, trades))

  async function newTrade(mode: Mode): Promise<Placed> {
    const trade = await place(running.parties, { mode })
    trades.push(trade)
    return trade
  }

  function expectAllSettledOnce(): Promise<void> {
    return expectSettledOnce(running.stack, running.parties, { paidOut: trades })
  }

  /** Kills a process when the facilitator makes a call, and starts it again; so many times, each at another act. */
  async function killAtCalls(victim: StackProcess, moment: Moment, times: number): Promise<void> {
    const { stack, rpc } = running
    for (let time = 0; time < times; time++) {
      const { promise: killed, resolve, reject } = Promise.withResolvers<void>()
      rpc.intercept(async ({ method }, forward) => {
        if (method !== moment.method) return forward()
        rpc.intercept(undefined)
        if (moment.isForwarded) await forward()
        await stack.kill(victim).then(resolve, reject)
        return undefined
      })
      await killed
      await stack.restart(victim)
    }
  }

  /** Kills a process at two of three commits, in turn before the database has it and after it was made. */
  function killAtCommits(victim: 'api' | 'worker') {
    const { stack, commits } = running
    let count = 0
    let isDying = false
    let revived = Promise.resolve()
    const dieAfter = async (moment: Promise<void> | undefined, formerlyRevived: Promise<void>) => {
      await Promise.all([moment, formerlyRevived])
      await stack.kill(victim)
      isDying = false
      await stack.restart(victim)
    }
    commits[victim]?.onCommit((answered) => {
      // Nobody will miss what the dying process still tries.
      if (isDying) return 'drop'
      const turn = (['drop', 'drop answer', 'pass'] as const)[count++ % 3] ?? 'pass'
      if (turn === 'pass') return 'pass'
      isDying = true
      revived = dieAfter(turn === 'drop answer' ? answered : undefined, revived)
      return turn
    })
    return {
      end: async () => {
        commits[victim]?.onCommit(undefined)
        await revived
        return count
      },
    }
  }
})
