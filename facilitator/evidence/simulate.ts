import type { Address, Hex } from 'viem'
import { estimateGas, trialGas, withRoom } from '../chain/gas.ts'
import { isPassing, revertReason } from '../chain/reasons.ts'
import { type Call, type Ending, failed, wait } from '../context/decision.ts'
import type { Pass } from './pass.ts'

/** Simulates a call on the newest state. Returns the gas to send it with, or why it is not sent. */
export async function simulate(pass: Pass, call: Call, from: Address): Promise<bigint | Ending> {
  return (await usualGas(pass, call, from)) ?? (await refusal(pass, call, from)) ?? estimateGas(pass, call, from)
}

/** Simulates and measures in one call: if the usual gas is enough, no other query is needed. */
async function usualGas(pass: Pass, call: Call, from: Address): Promise<bigint | undefined> {
  const usual = pass.gasBook.usual(call)
  if (usual === undefined || withRoom(usual) > pass.limits.maxGas) return undefined
  try {
    const reason = await refusalAt(pass, call, from, { blockHash: pass.head.latest.hash, gas: usual })
    return reason === undefined ? withRoom(usual) : undefined
  } catch {
    // Nodes have no common error for too little gas. Any other cause shows again in the next query.
    return undefined
  }
}

/**
 * Returns why the chain would refuse a call, or undefined. A refusal ends the intent only when the state at
 * confirmed depth refuses it for the same reason, and time alone would not resolve that.
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

/**
 * Returns why the chain would refuse an account's call at a block, or undefined. Throws any error of the RPC.
 */
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
