import type { Split } from '../../protocol/split.ts'
import { urnString } from '../../protocol/urn.ts'
import type { ChainSettings } from '../context.ts'
import { businessKey, type OutflowEvent, placeEvidence } from '../escrow/evidence.ts'
import { assetKey } from './asset.ts'
import type { Leg, Posting } from './post.ts'

// The hot wallet's books: deposits on the way to whoever is owed them.

/** The service's own account. */
const SERVICE = 'service'

/** Where a payout's money stands: owed to its owner, on its way out, or kept apart with the deposit it came from. */
export type PayoutAccount =
  | { kind: 'payable'; humanId: string }
  | { kind: 'in_transit'; payoutId: string }
  | { kind: 'suspense'; strayKey: string }

function leg(account: PayoutAccount, amountMicros: bigint): Leg {
  switch (account.kind) {
    case 'payable':
      return { kind: 'payable', owner: urnString('human', account.humanId), amountMicros }
    case 'in_transit':
      return { kind: 'in_transit', owner: urnString('payout', account.payoutId), amountMicros }
    case 'suspense':
      return { kind: 'suspense', owner: account.strayKey, amountMicros }
  }
}

/** A payment that had been kept apart is an order's after all. */
export function matchedPosting(chain: ChainSettings, orderId: string, strayKey: string, amountMicros: bigint): Posting {
  return {
    key: `matched:${strayKey}`,
    kind: 'matched',
    orderId,
    asset: assetKey(chain),
    evidence: { stray: strayKey },
    legs: [
      { kind: 'suspense', owner: strayKey, amountMicros: -amountMicros },
      { kind: 'hold', owner: urnString('order', orderId), amountMicros },
    ],
  }
}

/** Whose a custodied hold becomes: the seller's owner's, the service's, and the payer's, already on its way back. */
export function custodyReleasedPosting(
  chain: ChainSettings,
  orderId: string,
  split: Split,
  parties: { sellerOwnerId: string; refundPayoutId: string | null },
): Posting {
  const totalMicros = split.payerMicros + split.payeeMicros + split.feeMicros
  const { refundPayoutId, sellerOwnerId } = parties
  return {
    key: `release:${orderId}`,
    kind: 'custody_released',
    orderId,
    asset: assetKey(chain),
    evidence: { order: urnString('order', orderId) },
    legs: [
      { kind: 'hold', owner: urnString('order', orderId), amountMicros: -totalMicros },
      leg({ kind: 'payable', humanId: sellerOwnerId }, split.payeeMicros),
      { kind: 'fees', owner: SERVICE, amountMicros: split.feeMicros },
      ...(refundPayoutId ? [leg({ kind: 'in_transit', payoutId: refundPayoutId }, split.payerMicros)] : []),
    ],
  }
}

/** A payout's money moves between the places it can stand in. The step says which move of the payout it is, once each. */
export function payoutMovedPosting(
  chain: ChainSettings,
  payout: { id: string; order_id: string | null; amount_micros: bigint },
  move: { step: string; from: PayoutAccount; to: PayoutAccount },
): Posting {
  return {
    key: `payout:${payout.id}:${move.step}`,
    kind: 'payout_moved',
    orderId: payout.order_id,
    asset: assetKey(chain),
    evidence: { payout: urnString('payout', payout.id), step: move.step },
    legs: [leg(move.from, -payout.amount_micros), leg(move.to, payout.amount_micros)],
  }
}

/** Tokens left the hot wallet for a payout: whatever stood for them goes, and so do they. */
export function payoutConfirmedPosting(
  chain: ChainSettings,
  event: OutflowEvent,
  orderId: string | null,
  from: PayoutAccount,
): Posting {
  return {
    key: businessKey(event),
    kind: 'payout_confirmed',
    orderId,
    asset: assetKey(chain),
    evidence: placeEvidence(event.place),
    legs: [
      leg(from, -event.amountMicros),
      { kind: 'hot_wallet', owner: chain.hotWallet.toLowerCase(), amountMicros: event.amountMicros },
    ],
  }
}
