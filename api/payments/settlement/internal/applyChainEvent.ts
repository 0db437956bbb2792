import type { Settings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { argumentsOf } from '../../chain/decode.ts'
import {
  businessKey,
  type ChainEvent,
  type RescuedEvent,
  type StrayReturnedEvent,
  type WithdrawnEvent,
} from '../../chain/evidence.ts'
import { closeIntent } from '../../chain/intents.ts'
import { recordFunding } from '../../escrow/fund.ts'
import { setStrayStatus } from '../../escrow/strayPayments.ts'
import { rescuedPosting, strayReturnedPosting, withdrawnPosting } from '../../ledger/contract.ts'
import { post } from '../../ledger/post.ts'
import { recordAnnouncement } from './announcements.ts'
import { recordOutflow, recordUnexplainedOutflow } from './outflow.ts'
import { recordPayment, recordTransfer } from './payment.ts'
import { recordReclaim, recordRelease } from './recordHoldEnd.ts'
import { restoreEvent } from './reorgReversal.ts'

/**
 * Processes one chain event, once: marks its business key as processed and runs its verb, in this
 * transaction. If a reorganisation had removed the event, restores it. Returns false if it was already
 * processed. The event must be at confirmed depth and verified at every node.
 */
export async function applyChainEvent(tx: Tx, settings: Settings, event: ChainEvent): Promise<boolean> {
  const { blockNumber, blockHash, txHash, logIndex } = event.place
  const fresh = await tx
    .insertInto('market.processed_chain_events')
    .values({
      key: businessKey(event),
      kind: event.kind,
      block_number: blockNumber,
      block_hash: blockHash,
      tx_hash: txHash,
      log_index: logIndex,
      event_arguments: JSON.stringify(argumentsOf(event)),
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!fresh) return restoreEvent(tx, settings, event)
  await act(tx, settings, event)
  return true
}

function act(tx: Tx, settings: Settings, event: ChainEvent): Promise<void> {
  switch (event.kind) {
    case 'funded':
      return recordFunding(tx, settings, event)
    case 'released':
      return recordRelease(tx, settings, event)
    case 'reclaimed':
      return recordReclaim(tx, settings, event)
    case 'withdrawn':
      return recordWithdrawal(tx, settings, event)
    case 'stray_announced':
      return recordAnnouncement(tx, event)
    case 'stray_returned':
      return recordStrayReturned(tx, settings, event)
    case 'payment':
      return recordPayment(tx, settings, event)
    case 'transfer':
      return recordTransfer(tx, settings, event)
    case 'outflow':
      return recordOutflow(tx, settings, event)
    case 'rescued':
      return recordRescue(tx, settings, event)
    case 'leak':
      return recordUnexplainedOutflow(tx, settings, event)
  }
}

/**
 * Records that an account withdrew its credit from the contract: its claimable balance falls by that amount.
 */
async function recordWithdrawal(tx: Tx, settings: Pick<Settings, 'chain'>, event: WithdrawnEvent): Promise<void> {
  await post(tx, withdrawnPosting(settings.chain, event))
}

/**
 * Records that the contract's admin rescued tokens that the contract owes to no account. The ledger still
 * shows them as owed, in suspense.
 */
async function recordRescue(tx: Tx, settings: Pick<Settings, 'chain'>, event: RescuedEvent): Promise<void> {
  await post(tx, rescuedPosting(settings.chain, event))
}

/** Records that the contract returned a stray payment to its payer. */
async function recordStrayReturned(
  tx: Tx,
  settings: Pick<Settings, 'chain'>,
  event: StrayReturnedEvent,
): Promise<void> {
  const key = `payment:${event.from}:${event.nonce}`
  await post(tx, strayReturnedPosting(settings.chain, event))
  await setStrayStatus(tx, key, 'returned')
  await closeIntent(tx, `return_stray:${key}`, 'settled')
}
