import type { Settings } from '../context.ts'
import { closeIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { rescuedPosting, strayReturnedPosting, withdrawnPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import type { RescuedEvent, StrayReturnedEvent, WithdrawnEvent } from './evidence.ts'
import { setStrayStatus } from './strays.ts'

/** An account took its credit out of the contract: what we book as claimable falls with it. */
export async function recordWithdrawal(tx: Tx, settings: Settings, event: WithdrawnEvent): Promise<void> {
  await post(tx, withdrawnPosting(settings.chain, event))
}

/** The admin took out what is owed to nobody. Whoever it came from is owed it no less in the books: it stands in suspense. */
export async function recordRescue(tx: Tx, settings: Settings, event: RescuedEvent): Promise<void> {
  await post(tx, rescuedPosting(settings.chain, event))
}

/** The contract gave a stray payment back. */
export async function recordStrayReturned(tx: Tx, settings: Settings, event: StrayReturnedEvent): Promise<void> {
  const key = `payment:${event.from}:${event.nonce}`
  await post(tx, strayReturnedPosting(settings.chain, event))
  await setStrayStatus(tx, key, 'returned')
  await closeIntent(tx, `return_stray:${key}`, 'settled')
}
