import type { Address, Hex } from 'viem'
import type { Call, Pass } from './context.ts'
import { type Ending, failed, wait } from './decision.ts'
import { estimateGas, trialGas, withRoom } from './gas.ts'
import { isPassing, revertReason } from './reasons.ts'

/** Tries a call on the newest state. Answers the gas to send it with, or why it is not sent. */
export async function simulate(pass: Pass, call: Call, from: Address): Promise<bigint | Ending> {
  return (await usualGas(pass, call, from)) ?? (await refusal(pass, call, from)) ?? estimateGas(pass, call, from)
}

/** One call that both tries and measures: where the usual gas is enough, nothing else need be asked. */
async function usualGas(pass: Pass, call: Call, from: Address): Promise<bigint | undefined> {
  const usual = pass.gasBook.usual(call)
  if (usual === undefined || withRoom(usual) > pass.limits.maxGas) return undefined
  try {
    const reason = await refusalAt(pass, call, from, { blockHash: pass.head.latest.hash, gas: usual })
    return reason === undefined ? withRoom(usual) : undefined
  } catch {
    // Nodes have no common error for too little gas. Whatever else it was, the next question meets it too.
    return undefined
  }
}

/**
 * Why the chain would not take a call. A refusal ends the intent only when the state at confirmed depth refuses it for
 * the same reason, and time alone will not end that. Undefined when the chain would take it.
 */
async function refusal(pass: Pass, call: Call, from: Address): Promise<Ending | undefined> {
  const { latest, confirmed } = pass.head
  const reason = await refusalAt(pass, call, from, { blockHash: latest.hash })
  if (reason === undefined) return undefined
  const known = await call.explain?.()
  if (known) return known
  if (isPassing(reason) || call.passing?.includes(reason)) return wait(reason)
  return (await refusalAt(pass, call, from, { blockHash: confirmed.hash })) === reason ? failed(reason) : wait(reason)
}

/** Why the chain would not take a call of an account's at a block. Undefined when it would. Throws what the RPC throws. */
export async function refusalAt(
  pass: Pass,
  { to, data }: Pick<Call, 'to' | 'data'>,
  account: Address,
  at: { blockHash: Hex; gas?: bigint },
): Promise<string | undefined> {
  try {
    await pass.client.call({ account, to, data, gas: trialGas(pass), ...at })
    return undefined
  } catch (error) {
    const reason = revertReason(error)
    if (reason) return reason
    throw error
  }
}
