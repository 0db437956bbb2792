import { test } from 'node:test'
import { expect } from 'chai'
import { MINING_SECONDS, type Scene } from '../../e2e/faultStack.ts'
import { broadcastGate } from '../../e2e/gate.ts'
import { finish } from '../../e2e/persistence.ts'
import { expectSettledOnce } from '../../e2e/settlement.ts'
import { tradesAtEveryStep } from '../../e2e/steps.ts'
import { MODES, type Mode, type Placed, place, untilThere } from '../../e2e/trading.ts'
import type { StackProcess } from '../../kit/stack/stack.ts'

const BLOCKS_WHILE_DEAD = 4n

/** Kills processes, each with trades of both modes at every step. */
export function kills(sceneOf: () => Scene, victims: readonly StackProcess[]): void {
  for (const victim of victims) {
    test(`kill -9 of ${victim}, with trades at every step: each is paid in once and paid out once`, async () => {
      const scene = sceneOf()
      const { stack, parties } = scene
      const gate = broadcastGate(scene.rpc)
      const resting = await tradesAtEveryStep(stack, parties, gate)
      scene.paidOut.push(...resting)
      await stack.kill(victim)
      const finished = Promise.all(resting.map((trade) => finish(stack, parties, trade)))
      gate.open()
      await mineBlocksWhileDead(scene)
      await Promise.all([stack.restart(victim), finished])
      await expectSettledOnce(scene)
    })
  }
}

async function mineBlocksWhileDead({ stack: { chain } }: Scene): Promise<void> {
  const goal = (await chain.client.getBlockNumber()) + BLOCKS_WHILE_DEAD
  await chain.client.setIntervalMining({ interval: MINING_SECONDS })
  await untilThere(
    `block ${goal}`,
    () => chain.client.getBlockNumber(),
    (head) => head >= goal,
  )
}

/** A moment in the life of a transaction, by the call to the node that is under way in it. */
interface Moment {
  when: string
  method: string
  /** Whether the call reaches the node before the kill. The answer never comes. */
  isForwarded: boolean
}

const BEFORE_THE_ANSWER: Moment = {
  when: 'between broadcasting and the answer',
  method: 'eth_sendRawTransaction',
  isForwarded: true,
}

const MOMENTS: readonly Moment[] = [
  { when: 'before it writes the transaction down', method: 'eth_maxPriorityFeePerGas', isForwarded: false },
  { when: 'between writing it down and broadcasting', method: 'eth_sendRawTransaction', isForwarded: false },
  BEFORE_THE_ANSWER,
]

/**
 * Kills processes during their calls to the node and their commits: at each moment, in the modes that
 * `modesAt` says; at every so many of its commits, each of `committers`.
 */
export function killsInTheAct(
  sceneOf: () => Scene,
  modesAt: (moment: number) => readonly Mode[],
  { committers, commitStep }: { committers: readonly ('api' | 'worker')[]; commitStep: number },
): void {
  for (const [index, moment] of MOMENTS.entries()) {
    for (const mode of modesAt(index)) {
      test(`kill -9 of facilitator, ${moment.when}, at the payment and at the distribution (${mode})`, async () => {
        await settleUnderKills('facilitator', moment, [await newTrade(mode)])
      })
    }
  }

  test('kill -9 of postgres, between broadcast and answer, at the payment and at the distribution', async () => {
    await settleUnderKills('postgres', BEFORE_THE_ANSWER, await Promise.all(MODES.map(newTrade)))
  })

  for (const victim of committers) {
    test(`kill -9 of ${victim}, before and after ${commitStep > 1 ? 'some of ' : ''}its commits`, async (context) => {
      const both = await Promise.all(MODES.map(newTrade))
      const kills = killAtCommits(victim)
      const trading = Promise.all(both.map((trade) => finish(sceneOf().stack, sceneOf().parties, trade)))
      // Also where a trade fails: the next test must not have its processes killed.
      const count = await trading.finally(kills.end).then(kills.count)
      context.diagnostic(`killed at ${count} commits`)
      expect(count).to.be.greaterThan(2)
      await expectSettledOnce(sceneOf())
    })
  }

  async function newTrade(mode: Mode): Promise<Placed> {
    const { parties, paidOut } = sceneOf()
    const trade = await place(parties, { mode })
    paidOut.push(trade)
    return trade
  }

  /**
   * Settles trades, each paid and delivered first and accepted then. A process is killed once on each way, so
   * that the second kill is at a distribution however long the victim takes to come back.
   */
  async function settleUnderKills(victim: StackProcess, moment: Moment, trades: readonly Placed[]): Promise<void> {
    const { stack, parties } = sceneOf()
    for (const until of ['delivered', undefined] as const) {
      const killed = killAtCall(victim, moment)
      await Promise.all([killed, ...trades.map((trade) => finish(stack, parties, trade, { until }))])
    }
    await expectSettledOnce(sceneOf())
  }

  /** Kills a process at the facilitator's next such call, and starts it again. */
  async function killAtCall(victim: StackProcess, moment: Moment): Promise<void> {
    const { stack, rpc } = sceneOf()
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

  /**
   * Kills a process at its commits, in turn before the database has the commit and after it was made. Each
   * two lives pass some commits more than the two before, so the process always comes further. With a step of
   * 1 every commit is hit both ways.
   */
  function killAtCommits(victim: 'api' | 'worker') {
    const { stack, commits } = sceneOf()
    let kills = 0
    let passedInLife = 0
    let isDying = false
    let revived = Promise.resolve()
    const dieAfter = async (moment: Promise<void> | undefined, formerlyRevived: Promise<void>) => {
      await Promise.all([moment, formerlyRevived])
      await stack.kill(victim)
      passedInLife = 0
      isDying = false
      await stack.restart(victim)
    }
    commits[victim].onCommit((answered) => {
      // Nobody misses what the dying process still tries.
      if (isDying) return 'drop'
      if (passedInLife < Math.floor(kills / 2) * commitStep) {
        passedInLife++
        return 'pass'
      }
      const isMade = kills++ % 2 === 1
      isDying = true
      revived = dieAfter(isMade ? answered : undefined, revived)
      return isMade ? 'drop answer' : 'drop'
    })
    return {
      end: async () => {
        commits[victim].onCommit(undefined)
        await revived
      },
      count: () => kills,
    }
  }
}
