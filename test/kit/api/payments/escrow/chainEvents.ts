import type { Address, Hex } from 'viem'
import type {
  FundedEvent,
  OutflowEvent,
  PaymentEvent,
  Place,
  ReclaimedEvent,
  ReleasedEvent,
} from '../../../../../api/payments/chain/evidence.ts'
import { holdTerms } from '../../../../../api/payments/escrow/terms.ts'
import { type PayoutLeg, payoutNonce } from '../../../../../protocol/payments/nonces.ts'
import { holdId, type Terms, termsHash } from '../../../../../protocol/payments/terms.ts'
import { newHash, PRICE, type Trade, type World } from './world.ts'

// What settle would tell the verbs, had the chain done it.

/** Somewhere on chain. */
export function place(): Place {
  return { blockNumber: 1n, blockHash: newHash(), txHash: newHash(), logIndex: 2 }
}

/** The contract opened a hold for an order, paid by its payer or somebody else. */
export function fundedEvent(world: World, trade: Trade, payer = trade.payer): FundedEvent {
  return heldEvent(world, holdTerms(trade.order), payer)
}

/** The contract opened a hold under any terms. */
export function heldEvent({ settings }: World, terms: Terms, payer: Address): FundedEvent {
  const nonce = termsHash(settings.chain, terms)
  return { kind: 'funded', place: place(), holdId: holdId(nonce, payer), payer, terms, nonce, adopted: false }
}

/** The contract released a hold. */
export function releasedEvent(
  held: FundedEvent,
  credits: { account: string; amountMicros: bigint }[],
  cause = 0,
): ReleasedEvent {
  return {
    kind: 'released',
    place: place(),
    holdId: held.holdId,
    order: held.terms.order,
    payer: held.payer,
    credits: credits.map(({ account, amountMicros }) => ({ account: account.toLowerCase() as Address, amountMicros })),
    cause,
  }
}

/** The credits of an accepted order: 19 to the seller, 1 to the service. */
export function fullCredits({ terms }: FundedEvent) {
  return [
    { account: terms.payee, amountMicros: 19_000_000n },
    { account: terms.feeRecipient, amountMicros: 1_000_000n },
  ]
}

/** The payer took an expired hold back. */
export function reclaimedEvent(held: FundedEvent): ReclaimedEvent {
  const { holdId: id, terms, payer } = held
  return { kind: 'reclaimed', place: place(), holdId: id, order: terms.order, payer, amountMicros: terms.amount }
}

/** A signed payment of an order's price reached where the order wants it. */
export function paymentEvent(
  { order, payer }: Pick<Trade, 'order' | 'payer'>,
  changes: Partial<PaymentEvent> = {},
): PaymentEvent {
  return {
    kind: 'payment',
    place: place(),
    from: payer,
    to: order.recipient as Address,
    amountMicros: PRICE,
    nonce: order.nonce as Hex,
    holdId: null,
    ...changes,
  }
}

/** The hot wallet paid one leg of a deposit. */
export function outflowEvent(
  { settings }: World,
  deposit: Pick<PaymentEvent, 'from' | 'nonce'>,
  leg: PayoutLeg,
  to: Address,
  amountMicros: bigint,
): OutflowEvent {
  return { kind: 'outflow', place: place(), to, amountMicros, nonce: payoutNonce(settings.chain, deposit, leg) }
}
