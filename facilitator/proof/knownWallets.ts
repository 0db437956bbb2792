import type { Address } from 'viem'
import type { Sighting } from './sighting.ts'
import { firstSight } from './unproved.ts'

/** Returns whether a wallet was first seen bound to a seller longer ago than the delay. Records the first sight. */
export async function isKnownWallet(pass: Sighting, [, owner]: readonly string[], wallet: Address): Promise<boolean> {
  if (pass.limits.releaseDelaySeconds === 0n) return true
  const dueAt = await firstSight(pass, `wallet ${owner} ${wallet}`)
  return dueAt <= pass.head.earlierTime
}
