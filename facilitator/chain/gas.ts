import { type Hex, slice } from 'viem'
import type { ChainContext, GasBook } from '../context/chain.ts'
import { type Call, type Ending, refused, wait } from '../context/decision.ts'
import { revertReason } from './reasons.ts'

/** Gas added to what a call needs, in percent: other transactions may be mined first. */
const ROOM_PERCENT = 25n
/**
 * Gas that a trial gets above a transaction's limit: a call that fails with it fails for its own reasons, not
 * for lack of gas.
 */
const TRIAL_ROOM = 1_000_000n
const SELECTOR_BYTES = 4

/**
 * Returns an empty book. It keeps the least gas seen for each function, so that no wallet's expensive code
 * becomes usual.
 */
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

/** Returns the gas plus a quarter. */
export function withRoom(gas: bigint): bigint {
  return (gas * (100n + ROOM_PERCENT)) / 100n
}

/** Returns the gas limit of a trial call: a payer's wallet may be code that never ends. */
export function trialGas({ limits }: Pick<ChainContext, 'limits'>): bigint {
  return limits.maxGas + TRIAL_ROOM
}

/**
 * Returns the gas to send a call with, or why it is not sent. The estimate is not pinned to a block hash,
 * which few nodes support. The call has already passed at our head by then; a node with another head can make
 * it wait, or be sent with too little gas, which moves nothing and is counted, but can neither end the intent
 * nor exceed the limit.
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
