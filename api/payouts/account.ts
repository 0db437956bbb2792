import type { PayoutAccount } from '../ledger/custody.ts'
import type { PayoutRow } from './transition.ts'

/**
 * Where a payout's money stands in the books. A refund is on its way from the moment it is opened, and is kept apart
 * when it cannot be made; a seller's net is owed to its owner except while a payment of it is out.
 */
export function payoutAccount(payout: PayoutRow): PayoutAccount {
  if (payout.state === 'submitted') return inTransit(payout)
  if (payout.leg === 'payer') return payout.state === 'failed' ? keptApart(payout) : inTransit(payout)
  return payable(payout)
}

/** Where the money of a payout goes back to when a payment of it has failed for good. */
export function returnAccount(payout: PayoutRow): PayoutAccount {
  return payout.leg === 'payer' ? keptApart(payout) : payable(payout)
}

/** On its way out. */
export function inTransit(payout: PayoutRow): PayoutAccount {
  return { kind: 'in_transit', payoutId: payout.id }
}

function keptApart({ deposit_from: from, deposit_nonce: nonce }: PayoutRow): PayoutAccount {
  return { kind: 'suspense', strayKey: `payment:${from}:${nonce}` }
}

function payable({ id, human_id: humanId }: PayoutRow): PayoutAccount {
  if (humanId === null) throw new Error(`payout ${id} is owed to nobody`)
  return { kind: 'payable', humanId }
}
