import { test } from 'node:test'
import type { StackProcess } from '../kit/stack/stack.ts'
import { MINING_SECONDS, type Scene } from './faultStack.ts'
import { broadcastGate } from './gate.ts'
import { finish } from './persistence.ts'
import { expectSettledOnce } from './settlement.ts'
import { tradesAtEveryStep } from './steps.ts'
import { untilThere } from './trading.ts'

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
