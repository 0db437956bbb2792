import { type Address, getAddress, type Hex } from 'viem'
import { feeAt } from '../../../../../protocol/payments/fees.ts'
import { custodiedNonce } from '../../../../../protocol/payments/nonces.ts'
import { orderKey, termsHash } from '../../../../../protocol/payments/terms.ts'
import type { Settings } from '../../../../context.ts'
import { holdTerms, unixSeconds } from '../../../../payments/escrow/terms.ts'
import type { EscrowMode } from '../../../../platform/db/generated/tables.ts'

// Blocks are stamped a little behind our clock, and the token requires that the validity has begun.
const CLOCK_SKEW_SECONDS = 600

/** The inputs of an offer. The payee is the seller's wallet in contract mode, null in custodied mode. */
export interface OfferInput {
  orderId: string
  sellerId: string
  sellerOwnerId: string
  mode: EscrowMode
  priceMicros: bigint
  payee: Address | null
  now: Date
}

/** The columns of an order that define the payer's authorization: set at placement, never changed. */
export interface Offer {
  order_key: Hex
  recipient: string
  nonce: Hex
  payee: string | null
  fee_recipient: string
  fee_bps: number
  price_micros: bigint
  valid_after: Date
  valid_before: Date
  expires_at: Date
}

/** Returns the escrow mode of an order whose buyer names none: custodied below the threshold (spec 8). */
export function defaultMode(settings: Pick<Settings, 'rules'>, priceMicros: bigint): EscrowMode {
  return priceMicros < settings.rules.custodyThresholdMicros ? 'custodied' : 'contract'
}

/**
 * Makes the offer: windows from now on in whole seconds, and the nonce that binds a signature to this order
 * and seller.
 */
export function makeOffer(settings: Pick<Settings, 'chain' | 'rules'>, input: OfferInput): Offer {
  const { chain, rules } = settings
  const atSeconds = (offset: number) => new Date((unixSeconds(input.now) + offset) * 1000)
  const pinned = {
    order_key: orderKey(input.orderId),
    payee: input.payee?.toLowerCase() ?? null,
    fee_recipient: chain.feeRecipient.toLowerCase(),
    fee_bps: feeAt(rules.fees, input.now),
    price_micros: input.priceMicros,
    valid_after: atSeconds(-CLOCK_SKEW_SECONDS),
    valid_before: atSeconds(rules.paymentWindowSeconds),
    expires_at: atSeconds(rules.holdSeconds),
  }
  if (input.mode === 'custodied') {
    const sale = { orderId: input.orderId, agentId: input.sellerId, ownerId: input.sellerOwnerId }
    const nonce = custodiedNonce(chain, sale, input.priceMicros)
    return { ...pinned, recipient: chain.hotWallet.toLowerCase(), nonce }
  }
  return { ...pinned, recipient: chain.escrow.toLowerCase(), nonce: termsHash(chain, holdTerms(pinned)) }
}

/** Returns whether the Escrow contract accepts this account as a payee. */
export function isPossiblePayee(settings: Pick<Settings, 'chain'>, payee: Address): boolean {
  const { escrow, token, feeRecipient } = settings.chain
  return ![escrow, token, feeRecipient].map((address) => getAddress(address)).includes(getAddress(payee))
}
