import { urnString } from '../../../protocol/encoding/urn.ts'
import type { ChainSettings } from '../../context.ts'
import { businessKey, type PaymentEvent, placeEvidence } from '../chain/evidence.ts'
import { assetKey, type Leg, type Posting } from './post.ts'

// The ledger postings of appeal fees: money that is held for a dispute until its owner is decided.

/** An appeal's fee, as its postings name it. */
export interface BookedFee {
  id: string
  disputeId: string
  amountMicros: bigint
}

function held({ disputeId, amountMicros }: BookedFee, sign: 1n | -1n): Leg {
  return { kind: 'hold', owner: { type: 'dispute', id: disputeId }, amountMicros: sign * amountMicros }
}

/** Returns the posting for a signed payment into the hot wallet that is an appeal's fee. */
export function appealPaidPosting(chain: ChainSettings, event: PaymentEvent, fee: BookedFee): Posting {
  return {
    key: businessKey(event),
    kind: 'appeal_paid',
    orderId: null,
    asset: assetKey(chain),
    evidence: placeEvidence(event.place),
    legs: [
      { kind: 'hot_wallet', owner: { type: 'address', id: event.to }, amountMicros: -fee.amountMicros },
      held(fee, 1n),
    ],
  }
}

/** Returns the posting for a fee that is decided: it becomes the service's, or goes back by this payout. */
export function appealDecidedPosting(chain: ChainSettings, fee: BookedFee, refundPayoutId: string | null): Posting {
  const { amountMicros } = fee
  return {
    key: `appeal:${fee.id}:${refundPayoutId === null ? 'kept' : 'returned'}`,
    kind: 'appeal_decided',
    orderId: null,
    asset: assetKey(chain),
    evidence: { dispute: urnString('dispute', fee.disputeId) },
    legs: [
      held(fee, -1n),
      refundPayoutId === null
        ? { kind: 'fees', owner: { type: 'service', id: 'service' }, amountMicros }
        : { kind: 'in_transit', owner: { type: 'payout', id: refundPayoutId }, amountMicros },
    ],
  }
}
