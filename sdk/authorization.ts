import type { Address, Hex, TypedData, TypedDataDefinition } from 'viem'
import {
  encodeSignedAuthorization,
  receiveAuthorizationTypedData,
  type SignedAuthorization,
  transferAuthorizationTypedData,
} from '../protocol/payments/authorization.ts'
import { authorizationFor, type PaymentIntent, type PaymentMarket, type PaymentOffer, tokenDomainOf } from './offer.ts'
import { keepPayee } from './payees.ts'

/** Signs typed data for an address: a viem account or wallet client of the payer. */
export interface TypedDataSigner {
  address: Address
  signTypedData: <
    const Types extends TypedData | Record<string, unknown>,
    Name extends keyof Types | 'EIP712Domain' = keyof Types,
  >(
    typedData: TypedDataDefinition<Types, Name>,
  ) => Promise<Hex>
}

/**
 * Returns the typed data that a payer is to sign for a 402 (spec 4.1), recomputed from the payer's own market
 * and intent (`authorizationFor`), for a signer of any kind. In contract mode this is a
 * `ReceiveWithAuthorization`: only the escrow can submit it, so that nobody can submit it to the token and
 * leave the payment without a hold. Throws an OfferRefused with the reason if nothing is to be signed.
 */
export function paymentTypedData(offer: PaymentOffer, from: Address, market: PaymentMarket, intent: PaymentIntent) {
  const message = authorizationFor(offer, from, market, intent)
  const domain = tokenDomainOf(market)
  return offer.escrow_mode === 'contract'
    ? receiveAuthorizationTypedData(domain, message)
    : transferAuthorizationTypedData(domain, message)
}

/**
 * Signs the authorization that a 402 asks for (spec 4.1), after recomputing it from the payer's own market
 * and intent (`paymentTypedData`). Throws an OfferRefused, and signs nothing, if the 402 asks for anything
 * else.
 */
export async function signOffer(
  offer: PaymentOffer,
  signer: TypedDataSigner,
  market: PaymentMarket,
  intent: PaymentIntent,
): Promise<SignedAuthorization> {
  const data = paymentTypedData(offer, signer.address, market, intent)
  // TypeScript accepts each of the two types only in a call of its own.
  const signature =
    data.primaryType === 'ReceiveWithAuthorization'
      ? await signer.signTypedData(data)
      : await signer.signTypedData(data)
  if (offer.terms) keepPayee(intent.seller, offer.terms.payee as Address, intent)
  return { ...data.message, signature }
}

/** As signOffer, encoded for the fund call. */
export async function signedAuthorizationFor(...payment: Parameters<typeof signOffer>): Promise<string> {
  return encodeSignedAuthorization(await signOffer(...payment))
}
