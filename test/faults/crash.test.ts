import { after, before, describe, test } from 'node:test'
import { SERVICES } from '../../cli/services.ts'
import { type CrashStack, MINING_SECONDS, startCrashStack } from '../e2e/crashStack.ts'
import { broadcastGate } from '../e2e/gate.ts'
import { finish } from '../e2e/persistence.ts'
import { expectCleanAudit, expectSettledOnce } from '../e2e/settlement.ts'
import { tradesAtEveryStep } from '../e2e/steps.ts'
import { type Placed, until } from '../e2e/trading.ts'
import type { StackProcess } from '../stack/stack.ts'

const BLOCKS_WHILE_DEAD = 4n

describe('kill -9 of one process, with trades of both modes at every step', () => {
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
