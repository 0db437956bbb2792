import type { Settings } from '../context.ts'
import { gather } from '../db/gather.ts'
import type { Tx } from '../db/pool.ts'
import { claimsOf } from './claims.ts'
import { recordReclaim, recordRelease } from './end.ts'
import { businessKey, type ChainEvent } from './evidence.ts'
import { recordFunding } from './fund.ts'
import { recordLeak, recordOutflow } from './outflow.ts'
import { recordPayment, recordTransfer } from './payment.ts'
import { recordReturned } from './vanish.ts'
import { recordRescue, recordStrayReturned, recordWithdrawal } from './withdrawals.ts'

/**
 * Acts on facts in their order, in one transaction: what they leave in the books and in the logs is written together.
 * Answers for each as `settleEvent` does; where one cannot be acted on it throws, and none is.
 */
export async function settleEvents(tx: Tx, settings: Settings, events: readonly ChainEvent[]): Promise<boolean[]> {
  return gather(tx, async () => {
    const settled: boolean[] = []
    for (const event of events) settled.push(await settleEvent(tx, settings, event))
    return settled
  })
}

/**
 * Acts on one fact of the chain, once: its business key and all that follows from it are one transaction. One that had
 * vanished meanwhile is back. False when it was acted on before, in whichever block, and stands. The fact must be at
 * confirmed depth and verified at every node.
 */
export async function settleEvent(tx: Tx, settings: Settings, event: ChainEvent): Promise<boolean> {
  const { blockNumber, blockHash, txHash, logIndex } = event.place
  const fresh = await tx
    .insertInto('market.settled_events')
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
  if (!fresh) return recordReturned(tx, settings, event)
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
      return recordLeak(tx, settings, event)
  }
}
