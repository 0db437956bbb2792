import { type Address, getAddress, type Hex, type TypedData, type TypedDataDefinition } from 'viem'
import { parseAmount } from '../protocol/amounts.ts'
import {
  encodeSignedAuthorization,
  type SignedAuthorization,
  type TokenDomain,
  transferAuthorizationTypedData,
} from '../protocol/authorization.ts'

/** Whoever can sign typed data for an address: a viem account or wallet client of the payer. */
export interface TypedDataSigner {
  address: Address
  signTypedData: <
    const Types extends TypedData | Record<string, unknown>,
    Name extends keyof Types | 'EIP712Domain' = keyof Types,
  >(
    typedData: TypedDataDefinition<Types, Name>,
  ) => Promise<Hex>
}

/** The body of a 402 answer to an order (spec 2.6), as far as a signature needs it. */
export interface PaymentOffer {
  token: string
  network: string
  amount: string
  recipient: string
  nonce: string
  valid_after: string
  valid_before: string
}

/** Signs what a 402 asks for (spec 4.1): an EIP-3009 authorization of exactly the offer's amount, recipient and nonce. */
export async function signOffer(
  offer: PaymentOffer,
  signer: TypedDataSigner,
  tokenName: { name: string; version: string },
): Promise<SignedAuthorization> {
  const value = parseAmount(offer.amount)
  if (value === undefined) throw new Error(`the offer's amount ${offer.amount} is not an amount`)
  const domain: TokenDomain = {
    name: tokenName.name,
    version: tokenName.version,
    chainId: Number(offer.network.replace('eip155:', '')),
    verifyingContract: getAddress(offer.token),
  }
  const message = {
    from: signer.address,
    to: getAddress(offer.recipient),
    value,
    validAfter: unixSeconds(offer.valid_after),
    validBefore: unixSeconds(offer.valid_before),
    nonce: offer.nonce as Hex,
  }
  return { ...message, signature: await signer.signTypedData(transferAuthorizationTypedData(domain, message)) }
}

/** As signOffer, encoded for the fund call. */
export async function signedAuthorizationFor(
  offer: PaymentOffer,
  signer: TypedDataSigner,
  tokenName: { name: string; version: string },
): Promise<string> {
  return encodeSignedAuthorization(await signOffer(offer, signer, tokenName))
}

function unixSeconds(time: string): bigint {
  return BigInt(Math.floor(Date.parse(time) / 1000))
}
