import type { ChainSettings } from '../../context.ts'
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
} from '../chain/evidence.ts'
import { assetKey, type Leg, type Owner, type Posting } from './post.ts'

// The ledger's mirror of the Escrow contract: the tokens it holds, against their owners, including strangers'
// holds and credits. Every posting belongs to one event and has its key.

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

const address = (id: string): Owner => ({ type: 'address', id: id.toLowerCase() })

/** The owner of a stray payment: its event key. */
const payment = (payer: string, nonce: string): Owner => ({ type: 'event', id: `payment:${payer}:${nonce}` })

const contract = (chain: ChainSettings, amountMicros: bigint): Leg => ({
  kind: 'escrow_contract',
  owner: address(chain.escrow),
  amountMicros,
})

/** Returns the posting for a payment that became a hold: directly, or by adoption from suspense. */
export function fundedPosting(chain: ChainSettings, event: FundedEvent): Posting {
  const amountMicros = event.terms.amount
  return mirror(chain, event, [
    event.adopted
      ? { kind: 'suspense', owner: payment(event.payer, event.nonce), amountMicros: -amountMicros }
      : contract(chain, -amountMicros),
    { kind: 'hold', owner: { type: 'hold', id: event.holdId }, amountMicros },
  ])
}

/** Returns the posting for a release: the hold becomes its recipients' claimable credits. */
export function releasedPosting(chain: ChainSettings, event: ReleasedEvent): Posting {
  const totalMicros = event.credits.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
  return mirror(chain, event, [
    { kind: 'hold', owner: { type: 'hold', id: event.holdId }, amountMicros: -totalMicros },
    ...event.credits.map(
      ({ account, amountMicros }): Leg => ({ kind: 'claimable', owner: address(account), amountMicros }),
    ),
  ])
}

/** Returns the posting for a reclaim: the hold becomes its payer's claimable credit. */
export function reclaimedPosting(chain: ChainSettings, event: ReclaimedEvent): Posting {
  return mirror(chain, event, [
    { kind: 'hold', owner: { type: 'hold', id: event.holdId }, amountMicros: -event.amountMicros },
    { kind: 'claimable', owner: address(event.payer), amountMicros: event.amountMicros },
  ])
}

/** Returns the posting for a withdrawal of credit from the contract. */
export function withdrawnPosting(chain: ChainSettings, event: WithdrawnEvent): Posting {
  return mirror(chain, event, [
    { kind: 'claimable', owner: address(event.account), amountMicros: -event.amountMicros },
    contract(chain, event.amountMicros),
  ])
}

/** Returns the posting for a stray payment that the contract returned to its payer. */
export function strayReturnedPosting(chain: ChainSettings, event: StrayReturnedEvent): Posting {
  return mirror(chain, event, [
    { kind: 'suspense', owner: payment(event.from, event.nonce), amountMicros: -event.amountMicros },
    contract(chain, event.amountMicros),
  ])
}

/**
 * Returns the posting for tokens that the admin rescued from the contract. The plain transfers they came from
 * stay in suspense, against the rescued amount.
 */
export function rescuedPosting(chain: ChainSettings, event: RescuedEvent): Posting {
  return mirror(chain, event, [
    { kind: 'loss', owner: { type: 'event', id: businessKey(event) }, amountMicros: -event.amountMicros },
    contract(chain, event.amountMicros),
  ])
}

/** Returns the posting for money that belongs to no order yet: suspense, under the event's own key. */
export function strayPosting(chain: ChainSettings, event: PaymentEvent | TransferEvent): Posting {
  const isContract = event.to === chain.escrow.toLowerCase()
  return mirror(chain, event, [
    {
      kind: isContract ? 'escrow_contract' : 'hot_wallet',
      owner: address(event.to),
      amountMicros: -event.amountMicros,
    },
    { kind: 'suspense', owner: { type: 'event', id: businessKey(event) }, amountMicros: event.amountMicros },
  ])
}

/** Returns the posting for a signed payment into the hot wallet that is an order's deposit. */
export function depositPosting(chain: ChainSettings, event: PaymentEvent, orderId: string): Posting {
  return {
    ...mirror(chain, event, [
      { kind: 'hot_wallet', owner: address(event.to), amountMicros: -event.amountMicros },
      { kind: 'hold', owner: { type: 'order', id: orderId }, amountMicros: event.amountMicros },
    ]),
    orderId,
  }
}
