import { test } from 'node:test'
import pg from 'pg'
import { SERVICES } from '../../../cli/stack/services.ts'
import { MINING_SECONDS, type Scene } from '../../e2e/faultStack.ts'
import { broadcastGate } from '../../e2e/gate.ts'
import { finish } from '../../e2e/persistence.ts'
import { expectSettledOnce, untilAllDistributed } from '../../e2e/settlement.ts'
import { type RestingTrade, tradesAtEveryStep } from '../../e2e/steps.ts'
import { moveClocks } from '../../kit/stack/clocks.ts'

// The validity of an authorization of the hot wallet, and the blocks until that is confirmed.
const RESTORE_WAIT_SECONDS = 910

/** Restores the database while trades go on. */
export function restoreDuringTrades(sceneOf: () => Scene): void {
  test('a database restored to a copy from before half of the trades ended: all end as the chain has it', async () => {
    const scene = sceneOf()
    const { stack, parties } = scene
    const resting = await copyWithTradesAtEveryStep(scene)
    scene.paidOut.push(...resting)
    await finishHalf(scene, resting)
    await putBack(scene)
    await passRestoreWait(scene)
    await Promise.all(resting.map((trade) => finish(stack, parties, trade)))
    await untilAllDistributed(scene)
    await expectSettledOnce(scene)
  })
}

/** Copies the database while a trade of each mode rests at every step, and lets them go on. */
export async function copyWithTradesAtEveryStep({ stack, parties, rpc }: Scene): Promise<RestingTrade[]> {
  const gate = broadcastGate(rpc)
  const resting = await tradesAtEveryStep(stack, parties, gate)
  await stack.database.save()
  gate.open()
  await stack.chain.client.setIntervalMining({ interval: MINING_SECONDS })
  return resting
}

/** Puts the copy back in place of the database, as an operator would: with all processes stopped. */
export async function putBack({ stack }: Scene): Promise<void> {
  await Promise.all(SERVICES.map((name) => stack.kill(name)))
  await stack.database.restore()
  await Promise.all(SERVICES.map((name) => stack.restart(name)))
}

/** Passes the time for which the facilitator signs nothing after a restore. */
export async function passRestoreWait({ stack }: Scene): Promise<void> {
  const database = new pg.Client({ connectionString: stack.databaseUrl })
  await database.connect()
  await moveClocks(database, stack.chain, RESTORE_WAIT_SECONDS).finally(() => database.end())
}

/** Goes on with the trades until half of them are over, and leaves the others wherever they are. */
async function finishHalf({ stack, parties }: Scene, trades: readonly RestingTrade[]): Promise<void> {
  const half = new AbortController()
  let over = 0
  const goOn = async (trade: RestingTrade) => {
    await finish(stack, parties, trade, { stop: half.signal })
    if (++over >= trades.length / 2) half.abort()
  }
  await Promise.all(trades.map(goOn))
}
