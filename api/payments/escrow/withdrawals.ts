import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { closeIntent } from '../chain/intents.ts'
import { rescuedPosting, strayReturnedPosting, withdrawnPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import type { RescuedEvent, StrayReturnedEvent, WithdrawnEvent } from './evidence.ts'
import { setUnmatchedStatus } from './unmatchedPayments.ts'

/** Records that an account withdrew its credit from the contract: its claimable balance falls by that amount. */
export async function recordWithdrawal(tx: Tx, settings: Settings, event: WithdrawnEvent): Promise<void> {
  await post(tx, withdrawnPosting(settings.chain, event))
}

/**
 * Records that the contract's admin took out tokens that the contract owes to no account. The ledger still shows them
 * as owed, in suspense.
 */
export async function recordRescue(tx: Tx, settings: Settings, event: RescuedEvent): Promise<void> {
  await post(tx, rescuedPosting(settings.chain, event))
}

/** Records that the contract returned an unmatched payment to its payer. */
export async function recordStrayReturned(tx: Tx, settings: Settings, event: StrayReturnedEvent): Promise<void> {
  const key = `payment:${event.from}:${event.nonce}`
  await post(tx, strayReturnedPosting(settings.chain, event))
  await setUnmatchedStatus(tx, key, 'returned')
  await closeIntent(tx, `return_stray:${key}`, 'settled')
}
