import type { Address, Hex, TypedData, TypedDataDefinition } from 'viem'
import {
  encodeSignedAuthorization,
  receiveAuthorizationTypedData,
  type SignedAuthorization,
  transferAuthorizationTypedData,
} from '../protocol/authorization.ts'
import { authorizationFor, type PaymentIntent, type PaymentMarket, type PaymentOffer, tokenDomainOf } from './offer.ts'

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
 * Signs what a 402 asks for (spec 4.1), after recomputing it from the payer's own market and intent
 * (`authorizationFor`). In contract mode this is a `ReceiveWithAuthorization`: only the escrow can submit it, so that nobody
 * can submit it to the token and leave the payment without a hold. Throws an OfferRefused, and signs nothing, if the 402 asks
 * for anything else.
 */
export async function signOffer(
  offer: PaymentOffer,
  signer: TypedDataSigner,
  market: PaymentMarket,
  intent: PaymentIntent,
): Promise<SignedAuthorization> {
  const message = authorizationFor(offer, signer.address, market, intent)
  const domain = tokenDomainOf(market)
  const signature =
    offer.escrow_mode === 'contract'
      ? await signer.signTypedData(receiveAuthorizationTypedData(domain, message))
      : await signer.signTypedData(transferAuthorizationTypedData(domain, message))
  return { ...message, signature }
}

/** As signOffer, encoded for the fund call. */
export async function signedAuthorizationFor(...payment: Parameters<typeof signOffer>): Promise<string> {
  return encodeSignedAuthorization(await signOffer(...payment))
}
