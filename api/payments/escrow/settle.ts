import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { recordAnnouncement } from './announcements.ts'
import { claimsOf } from './claims.ts'
import { businessKey, type ChainEvent } from './evidence.ts'
import { recordFunding } from './fund.ts'
import { recordOutflow, recordUnexplainedOutflow } from './outflow.ts'
import { recordPayment, recordTransfer } from './payment.ts'
import { recordReclaim, recordRelease } from './recordHoldEnd.ts'
import { restoreEvent } from './reorgReversal.ts'
import { recordRescue, recordStrayReturned, recordWithdrawal } from './withdrawals.ts'

/**
 * Processes one chain event, once: marks its business key as processed and runs its verb, in this transaction. If a
 * reorganisation had removed the event, restores it. Returns false if it was already processed. The event must be at
 * confirmed depth and verified at every node.
 */
export async function settleEvent(tx: Tx, settings: Settings, event: ChainEvent): Promise<boolean> {
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
      claims: JSON.stringify(claimsOf(event)),
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
