import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import type { Settings } from '../../context.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { emit } from '../../platform/events/emit.ts'
import { OPERATORS } from '../../platform/events/visibility.ts'
import { businessKey, type LeakEvent, type OutflowEvent } from '../chain/evidence.ts'
import { lostPosting } from '../ledger/loss.ts'
import { post } from '../ledger/post.ts'
import { isExplained } from '../stops/stops.ts'
import { settlementEvents } from './declaration.ts'

/**
 * Posts tokens that left for no reason shown on the chain as the service's loss, if an operator has explained
 * it, and emits an event to operators. Liabilities do not change. Returns false, and changes nothing, while
 * no operator has explained it.
 */
export async function recordExplainedLoss(
  tx: Tx,
  { chain }: Pick<Settings, 'chain'>,
  event: OutflowEvent | LeakEvent,
): Promise<boolean> {
  const key = businessKey(event)
  if (!(await isExplained(tx, key))) return false
  await post(tx, lostPosting(chain, event))
  const details = { tx_hash: event.place.txHash, to: event.to, amount_micros: event.amountMicros.toString() }
  await audit(tx, { actor: 'service', action: 'loss.booked', subject: key, details })
  await emit(tx, settlementEvents['loss.booked'], {
    payload: {
      fact: key,
      place: event.kind === 'leak' ? 'escrow' : 'hot_wallet',
      amount: formatAmount(event.amountMicros),
      tx_hash: event.place.txHash,
    },
    visibleTo: [OPERATORS],
  })
  return true
}
