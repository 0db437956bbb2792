import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { SERVICES } from '../../cli/services.ts'
import type { StackProcess } from '../stack/stack.ts'
import { type CrashStack, MINING_SECONDS, startCrashStack } from './crashStack.ts'
import { copyWithTradesAtEveryStep, finishHalf, putBack } from './earlierCopy.ts'
import { broadcastGate } from './gate.ts'
import { finish } from './persistence.ts'
import { expectCleanAudit, expectSettledOnce, untilAllDistributed } from './settlement.ts'
import { tradesAtEveryStep } from './steps.ts'
import { rage } from './storm.ts'
import { MODES, type Placed, place, until } from './trading.ts'

const BLOCKS_WHILE_DEAD = 4n

describe('kill -9, with trades of both modes at every step', () => {
  let running: CrashStack
  const trades: Placed[] = []

  before(async () => {
    running = await startCrashStack()
  })

  after(() => running?.stop())

  for (const victim of ['postgres', ...SERVICES] satisfies StackProcess[]) {
    test(`of ${victim}: each trade completes, paid in once and paid out once`, async () => {
      const { stack, parties, rpc } = running
      const gate = broadcastGate(rpc)
      const resting = await tradesAtEveryStep(stack, parties, gate)
      trades.push(...resting)
      await stack.kill(victim)
      const finished = Promise.all(resting.map((trade) => finish(stack, parties, trade)))
      gate.open()
      await mineBlocksWhileDead()
      await Promise.all([stack.restart(victim), finished])
      await expectSettledOnce(stack, parties, { paidOut: trades })
    })
  }

  test('of one after the other, at any moment: each trade completes, paid in once and paid out once', async (context) => {
    const { stack, parties } = running
    const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))
    context.diagnostic(`seed ${seed}: CRASH_SEED=${seed} kills at the same moments again`)
    const storm = rage(stack, seed)
    const traders = Array.from({ length: 2 * MODES.length }, async (_, index) => {
      const mode = MODES[index % MODES.length] ?? 'contract'
      do {
        const trade = await place(parties, { mode })
        trades.push(trade)
        await finish(stack, parties, trade)
      } while (!storm.isOver())
    })
    await Promise.all([storm.over, ...traders])
    await expectSettledOnce(stack, parties, { paidOut: trades })
  })

  test('of all, and the database put back to an earlier copy while they were on their way: all end as the chain has it', async () => {
    const { stack, parties } = running
    const resting = await copyWithTradesAtEveryStep(running)
    trades.push(...resting)
    await finishHalf(running, resting)
    await putBack(running)
    await Promise.all(resting.map((trade) => finish(stack, parties, trade)))
    await untilAllDistributed(stack)
    await expectSettledOnce(stack, parties, { paidOut: trades })
  })

  test('an auditor finds nothing', () => expectCleanAudit(running.stack, running.parties, trades))

  async function mineBlocksWhileDead(): Promise<void> {
    const { client } = running.stack.chain
    const goal = (await client.getBlockNumber()) + BLOCKS_WHILE_DEAD
    await client.setIntervalMining({ interval: MINING_SECONDS })
    await until(
      `block ${goal}`,
      () => client.getBlockNumber(),
      (head) => head >= goal,
    )
  }
})
