import { SERVICES } from '../../cli/services.ts'
import { type CrashStack, MINING_SECONDS } from './crashStack.ts'
import { broadcastGate } from './gate.ts'
import { finish } from './persistence.ts'
import { type RestingTrade, tradesAtEveryStep } from './steps.ts'

/** Copies the database while a trade of each mode rests at every step, and lets them go on. */
export async function copyWithTradesAtEveryStep({ stack, parties, rpc }: CrashStack): Promise<RestingTrade[]> {
  const gate = broadcastGate(rpc)
  const resting = await tradesAtEveryStep(stack, parties, gate)
  await stack.database.save()
  gate.open()
  await stack.chain.client.setIntervalMining({ interval: MINING_SECONDS })
  return resting
}

/** Puts the copy back in place of the database, as whoever operates a market would: with its processes stopped. */
export async function putBack({ stack }: CrashStack): Promise<void> {
  await Promise.all(SERVICES.map((name) => stack.kill(name)))
  await stack.database.restore()
  await Promise.all(SERVICES.map((name) => stack.restart(name)))
}

/** Goes on with the trades until half of them are over, and leaves the others wherever they are. */
export async function finishHalf({ stack, parties }: CrashStack, trades: readonly RestingTrade[]): Promise<void> {
  const half = new AbortController()
  let over = 0
  const goOn = async (trade: RestingTrade) => {
    await finish(stack, parties, trade, half.signal)
    if (++over >= trades.length / 2) half.abort()
  }
  await Promise.all(trades.map(goOn))
}
