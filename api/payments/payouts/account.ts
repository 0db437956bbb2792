import type { PayoutAccount } from '../ledger/custody.ts'
import type { PayoutRow } from './transition.ts'

/**
 * Returns the ledger account of a payout's money. A refund is in transit from the moment it is opened, and in
 * suspense if it cannot be paid; a seller's net is owed to its owner except while a payment of it is in
 * flight.
 */
export function payoutAccount(payout: PayoutRow): PayoutAccount {
  if (payout.state === 'submitted') return inTransit(payout)
  if (payout.leg === 'payer') return payout.state === 'failed' ? keptApart(payout) : inTransit(payout)
  return payable(payout)
}

/**
 * Returns the ledger account that a payout's money returns to when a payment of it has failed permanently.
 */
export function returnAccount(payout: PayoutRow): PayoutAccount {
  return payout.leg === 'payer' ? keptApart(payout) : payable(payout)
}

/** Returns the payout's in-transit account. */
export function inTransit(payout: PayoutRow): PayoutAccount {
  return { kind: 'in_transit', payoutId: payout.id }
}

function keptApart({ deposit_from: from, deposit_nonce: nonce }: PayoutRow): PayoutAccount {
  return { kind: 'suspense', strayKey: `payment:${from}:${nonce}` }
}

function payable({ id, human_id: humanId }: PayoutRow): PayoutAccount {
  if (humanId === null) throw new Error(`payout ${id} has no owner`)
  return { kind: 'payable', humanId }
}
