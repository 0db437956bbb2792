import { type Hex, slice } from 'viem'
import type { Call, ChainContext } from './context.ts'
import { type Ending, refused, wait } from './decision.ts'
import { revertReason } from './reasons.ts'

/** Gas on top of what a call needs, in percent: other transactions may be mined before. */
const ROOM_PERCENT = 25n
/** Gas above the limit of a transaction that a trial gets: what is short of it is refused for itself, not for its gas. */
const TRIAL_ROOM = 1_000_000n
const SELECTOR_BYTES = 4

/** The gas that calls of each function have needed: one that gets by with it needs no estimate of its own. */
export interface GasBook {
  usual: (call: Call) => bigint | undefined
  learn: (call: Call, gas: bigint) => void
}

/** An empty book. It keeps the least that was seen for each function, so that no wallet's costly code becomes usual. */
export function createGasBook(): GasBook {
  const usual = new Map<Hex, bigint>()
  const key = ({ to, data }: Call): Hex => `${to}${slice(data, 0, SELECTOR_BYTES).slice(2)}`
  return {
    usual: (call) => usual.get(key(call)),
    learn: (call, gas) => {
      const known = usual.get(key(call))
      if (known === undefined || gas < known) usual.set(key(call), gas)
    },
  }
}

/** Gas and a quarter. */
export function withRoom(gas: bigint): bigint {
  return (gas * (100n + ROOM_PERCENT)) / 100n
}

/** The most gas a call gets when it is tried: a payer's wallet may be code that never comes to an end. */
export function trialGas({ limits }: Pick<ChainContext, 'limits'>): bigint {
  return limits.maxGas + TRIAL_ROOM
}

/**
 * The gas to send a call with, or why it is not sent. Not asked at a block of a certain hash, which few nodes take here: by
 * then the call has passed at our head, and a node that is elsewhere can have it wait, or sent with too little gas, which
 * moves nothing and is counted, but can neither end the intent nor exceed the limit.
 */
export async function estimateGas(context: ChainContext, call: Call, from: Hex): Promise<bigint | Ending> {
  const { client, limits, gasBook } = context
  try {
    const estimate = await client.estimateGas({ account: from, to: call.to, data: call.data, gas: trialGas(context) })
    const gas = withRoom(estimate)
    if (gas > limits.maxGas) return refused('gas_limit')
    gasBook.learn(call, gas)
    return gas
  } catch (error) {
    const reason = revertReason(error)
    if (reason) return wait(reason)
    throw error
  }
}
