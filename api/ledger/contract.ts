import { urnString } from '../../protocol/urn.ts'
import type { ChainSettings } from '../context.ts'
import {
  businessKey,
  type FundedEvent,
  type PaymentEvent,
  placeEvidence,
  type ReclaimedEvent,
  type ReleasedEvent,
  type RescuedEvent,
  type StrayReturnedEvent,
  type TransferEvent,
  type WithdrawnEvent,
} from '../escrow/evidence.ts'
import { assetKey } from './asset.ts'
import type { Leg, Posting } from './post.ts'

// The mirror of the Escrow contract: what it holds stands against whose it is, strangers' holds and credits included.
// Every posting is one event's, keyed as the event is.

function mirror(chain: ChainSettings, event: MirroredEvent, legs: readonly Leg[]): Posting {
  return {
    key: businessKey(event),
    kind: event.kind,
    orderId: null,
    asset: assetKey(chain),
    evidence: placeEvidence(event.place),
    legs,
  }
}

type MirroredEvent =
  | FundedEvent
  | ReleasedEvent
  | ReclaimedEvent
  | RescuedEvent
  | StrayReturnedEvent
  | WithdrawnEvent
  | PaymentEvent
  | TransferEvent

const contract = (chain: ChainSettings, amountMicros: bigint): Leg => ({
  kind: 'escrow_contract',
  owner: chain.escrow.toLowerCase(),
  amountMicros,
})

/** A payment became a hold: at once, or, adopted, out of what had been stray. */
export function fundedPosting(chain: ChainSettings, event: FundedEvent): Posting {
  const amountMicros = event.terms.amount
  return mirror(chain, event, [
    event.adopted
      ? { kind: 'suspense', owner: `payment:${event.payer}:${event.nonce}`, amountMicros: -amountMicros }
      : contract(chain, -amountMicros),
    { kind: 'hold', owner: event.holdId, amountMicros },
  ])
}

/** A hold became what each of its recipients may withdraw. */
export function releasedPosting(chain: ChainSettings, event: ReleasedEvent): Posting {
  const totalMicros = event.credits.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
  return mirror(chain, event, [
    { kind: 'hold', owner: event.holdId, amountMicros: -totalMicros },
    ...event.credits.map(({ account, amountMicros }): Leg => ({ kind: 'claimable', owner: account, amountMicros })),
  ])
}

/** A hold became what its payer may withdraw. */
export function reclaimedPosting(chain: ChainSettings, event: ReclaimedEvent): Posting {
  return mirror(chain, event, [
    { kind: 'hold', owner: event.holdId, amountMicros: -event.amountMicros },
    { kind: 'claimable', owner: event.payer, amountMicros: event.amountMicros },
  ])
}

/** Credit left the contract. */
export function withdrawnPosting(chain: ChainSettings, event: WithdrawnEvent): Posting {
  return mirror(chain, event, [
    { kind: 'claimable', owner: event.account, amountMicros: -event.amountMicros },
    contract(chain, event.amountMicros),
  ])
}

/** A stray payment left the contract, back to its sender. */
export function strayReturnedPosting(chain: ChainSettings, event: StrayReturnedEvent): Posting {
  return mirror(chain, event, [
    { kind: 'suspense', owner: `payment:${event.from}:${event.nonce}`, amountMicros: -event.amountMicros },
    contract(chain, event.amountMicros),
  ])
}

/** Tokens owed to nobody left the contract: what came in unasked still stands in suspense, against what was taken. */
export function rescuedPosting(chain: ChainSettings, event: RescuedEvent): Posting {
  return mirror(chain, event, [
    { kind: 'loss', owner: businessKey(event), amountMicros: -event.amountMicros },
    contract(chain, event.amountMicros),
  ])
}

/** Money came that is nobody's order yet: it stands in suspense under the event's own key. */
export function strayPosting(chain: ChainSettings, event: PaymentEvent | TransferEvent): Posting {
  const isContract = event.to === chain.escrow.toLowerCase()
  return mirror(chain, event, [
    { kind: isContract ? 'escrow_contract' : 'hot_wallet', owner: event.to, amountMicros: -event.amountMicros },
    { kind: 'suspense', owner: businessKey(event), amountMicros: event.amountMicros },
  ])
}

/** A signed payment into the hot wallet is an order's deposit. */
export function depositPosting(chain: ChainSettings, event: PaymentEvent, orderId: string): Posting {
  return {
    ...mirror(chain, event, [
      { kind: 'hot_wallet', owner: event.to, amountMicros: -event.amountMicros },
      { kind: 'hold', owner: urnString('order', orderId), amountMicros: event.amountMicros },
    ]),
    orderId,
  }
}
