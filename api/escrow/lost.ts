import { formatAmount } from '../../protocol/amounts.ts'
import type { Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import { lostPosting } from '../ledger/loss.ts'
import { post } from '../ledger/post.ts'
import { isExplained } from '../stops/explain.ts'
import { businessKey, type LeakEvent, type OutflowEvent } from './evidence.ts'

/**
 * Tokens left us and nothing on the chain explains it, but an operator has: they are booked as our loss, whoever is owed
 * what, and operators are told. False, and nothing done, while nobody has explained it.
 */
export async function recordLost(tx: Tx, { chain }: Settings, event: OutflowEvent | LeakEvent): Promise<boolean> {
  const fact = businessKey(event)
  if (!(await isExplained(tx, fact))) return false
  await post(tx, lostPosting(chain, event))
  const details = { tx_hash: event.place.txHash, to: event.to, amount_micros: event.amountMicros.toString() }
  await audit(tx, { actor: 'service', action: 'loss.booked', subject: fact, details })
  const operators = await tx.selectFrom('market.humans').select('id').where('role', '=', 'operator').execute()
  await emit(tx, {
    type: 'loss.booked',
    payload: {
      fact,
      place: event.kind === 'leak' ? 'escrow' : 'hot_wallet',
      amount: formatAmount(event.amountMicros),
      tx_hash: event.place.txHash,
    },
    visibleTo: operators.map(({ id }) => id),
  })
  return true
}
