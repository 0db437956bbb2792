import type { Address } from 'viem'
import type { Call, Pass } from './context.ts'
import { type Ending, failed, wait } from './decision.ts'
import { isPassing, revertReason } from './reasons.ts'

/**
 * Tries a call on the newest state. Undefined when the chain would take it. A refusal ends the intent only when the
 * state at confirmed depth refuses it for the same reason, and time alone will not end that.
 */
export async function simulate(pass: Pass, call: Call, from: Address): Promise<Ending | undefined> {
  const { latest, confirmed } = pass.head
  const reason = await refusalAt(pass, call, from, latest.number)
  if (!reason) return undefined
  if (isPassing(reason) || call.passing?.includes(reason)) return wait(reason)
  return (await refusalAt(pass, call, from, confirmed.number)) === reason ? failed(reason) : wait(reason)
}

async function refusalAt(
  pass: Pass,
  { to, data }: Call,
  account: Address,
  blockNumber: bigint,
): Promise<string | undefined> {
  try {
    await pass.client.call({ account, to, data, blockNumber })
    return undefined
  } catch (error) {
    const reason = revertReason(error)
    if (reason) return reason
    throw error
  }
}
