import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Split } from '../../../protocol/payments/split.ts'
import type { ChainSettings } from '../../context.ts'
import { businessKey, type OutflowEvent, placeEvidence } from '../chain/evidence.ts'
import { assetKey, type Leg, type Owner, type Posting } from './post.ts'

// The ledger postings of the hot wallet: deposits and payouts.

/** The service's own account. */
const SERVICE: Owner = { type: 'service', id: 'service' }

/**
 * The account of a payout's money: owed to its owner, in transit, or in suspense with the deposit it came
 * from.
 */
export type PayoutAccount =
  | { kind: 'payable'; humanId: string }
  | { kind: 'in_transit'; payoutId: string }
  | { kind: 'suspense'; strayKey: string }

function leg(account: PayoutAccount, amountMicros: bigint): Leg {
  switch (account.kind) {
    case 'payable':
      return { kind: 'payable', owner: { type: 'human', id: account.humanId }, amountMicros }
    case 'in_transit':
      return { kind: 'in_transit', owner: { type: 'payout', id: account.payoutId }, amountMicros }
    case 'suspense':
      return { kind: 'suspense', owner: { type: 'event', id: account.strayKey }, amountMicros }
  }
}

/** Returns the posting for a payment in suspense that becomes an order's deposit. */
export function matchedPosting(chain: ChainSettings, orderId: string, strayKey: string, amountMicros: bigint): Posting {
  return {
    key: `matched:${strayKey}`,
    kind: 'matched',
    orderId,
    asset: assetKey(chain),
    evidence: { stray: strayKey },
    legs: [
      { kind: 'suspense', owner: { type: 'event', id: strayKey }, amountMicros: -amountMicros },
      { kind: 'hold', owner: { type: 'order', id: orderId }, amountMicros },
    ],
  }
}

/**
 * Returns the posting for a released custodied hold: the seller's owner's part, the service's fee, and the
 * payer's refund, which is in transit at once.
 */
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
      { kind: 'hold', owner: { type: 'order', id: orderId }, amountMicros: -totalMicros },
      leg({ kind: 'payable', humanId: sellerOwnerId }, split.payeeMicros),
      { kind: 'fees', owner: SERVICE, amountMicros: split.feeMicros },
      ...(refundPayoutId ? [leg({ kind: 'in_transit', payoutId: refundPayoutId }, split.payerMicros)] : []),
    ],
  }
}

/**
 * Returns the posting for a payout's money that moves between its accounts. Each step of a payout is posted
 * once.
 */
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

/**
 * Returns the posting for tokens that left the hot wallet for a payout: closes the payout's account and
 * reduces the wallet.
 */
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
      {
        kind: 'hot_wallet',
        owner: { type: 'address', id: chain.hotWallet.toLowerCase() },
        amountMicros: event.amountMicros,
      },
    ],
  }
}
