import type { Settings } from '../context.ts'
import { closeIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { strayReturnedPosting, withdrawnPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import type { StrayReturnedEvent, WithdrawnEvent } from './evidence.ts'
import { setStrayStatus } from './strays.ts'

/** An account took its credit out of the contract: what we book as claimable falls with it. */
export async function recordWithdrawal(tx: Tx, settings: Settings, event: WithdrawnEvent): Promise<void> {
  await post(tx, withdrawnPosting(settings.chain, event))
}

/** The contract gave a stray payment back. */
export async function recordStrayReturned(tx: Tx, settings: Settings, event: StrayReturnedEvent): Promise<void> {
  const key = `payment:${event.from}:${event.nonce}`
  await post(tx, strayReturnedPosting(settings.chain, event))
  await setStrayStatus(tx, key, 'returned')
  await closeIntent(tx, `return_stray:${key}`, 'settled')
}
