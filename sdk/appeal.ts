import type { Address } from 'viem'
import { parseAmount } from '../protocol/encoding/amounts.ts'
import { parseUrn, type UrnObject } from '../protocol/encoding/urn.ts'
import {
  type Authorization,
  encodeSignedAuthorization,
  transferAuthorizationTypedData,
} from '../protocol/payments/authorization.ts'
import { appealFeeNonce, appealKey } from '../protocol/payments/nonces.ts'
import type { TypedDataSigner } from './authorization.ts'
import { checkPlace, type PaymentMarket, tokenDomainOf, validityOf } from './offer.ts'
import { OfferRefused } from './offerRefused.ts'

/** The part of a 402 answer to an appeal that a signature needs. */
export interface AppealOffer {
  token: string
  network: string
  amount: string
  recipient: string
  nonce: string
  valid_after: string
  valid_before: string
}

/** The appeal that an appellant intends to pay for. */
export interface AppealIntent {
  dispute: UrnObject
  /** The agent who appeals. */
  appellant: UrnObject
  /** The most to pay, in wire form. */
  maxFee: string
  /** How long the payment may be valid: the market's `appeal_payment_seconds`. */
  windowSeconds: number
  /** The present time in unix seconds, if it is not this machine's. */
  nowSeconds?: number
}

/**
 * Recomputes the authorization that a 402 asks an appellant to sign, from the appellant's own market and
 * intent. Throws an OfferRefused for another network, token, recipient or validity, for a fee above the
 * maximum, and for another appeal's nonce.
 */
export function appealAuthorizationFor(
  offer: AppealOffer,
  from: Address,
  market: PaymentMarket,
  intent: AppealIntent,
): Authorization {
  checkPlace(offer, market, market.hotWallet)
  const [value, most] = [parseAmount(offer.amount), parseAmount(intent.maxFee)]
  if (value === undefined || most === undefined || value > most)
    throw new OfferRefused('amount', `it is of ${offer.amount}, and at most ${intent.maxFee} was to be paid`)
  const [disputeId, appellantId] = [parseUrn('dispute', intent.dispute), parseUrn('agent', intent.appellant)]
  if (!disputeId || !appellantId) throw new OfferRefused('order', 'the intent names no dispute, or no agent')
  const { windowSeconds, nowSeconds } = intent
  const time = nowSeconds === undefined ? {} : { nowSeconds }
  const { validAfter, validBefore } = validityOf(offer, { ...market, windowSeconds }, time)
  const nonce = appealFeeNonce(market, appealKey({ disputeId, appellantId }), value)
  if (offer.nonce.toLowerCase() !== nonce) throw new OfferRefused('nonce', 'it is not of this appeal')
  return { from, to: market.hotWallet, value, validAfter, validBefore, nonce }
}

/**
 * Returns the typed data that an appellant is to sign, recomputed, for a signer of any kind. Throws an
 * OfferRefused.
 */
export function appealTypedData(offer: AppealOffer, from: Address, market: PaymentMarket, intent: AppealIntent) {
  return transferAuthorizationTypedData(tokenDomainOf(market), appealAuthorizationFor(offer, from, market, intent))
}

/**
 * Recomputes and signs the fee that a 402 asks an appellant for, and encodes it for the fund call. Throws an
 * OfferRefused.
 */
export async function signedAppealFee(
  offer: AppealOffer,
  signer: TypedDataSigner,
  market: PaymentMarket,
  intent: AppealIntent,
): Promise<string> {
  const data = appealTypedData(offer, signer.address, market, intent)
  return encodeSignedAuthorization({ ...data.message, signature: await signer.signTypedData(data) })
}
