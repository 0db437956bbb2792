import { getAddress, type Hex } from 'viem'
import { parseAmount } from '../../../protocol/encoding/amounts.ts'
import {
  encodeSignedAuthorization,
  receiveAuthorizationTypedData,
  type SignedAuthorization,
  transferAuthorizationTypedData,
} from '../../../protocol/payments/authorization.ts'
import type { AuthorizationType } from '../../../protocol/payments/paymentSignature.ts'
import type { TypedDataSigner } from '../../../sdk/authorization.ts'
import type { PaymentOffer } from '../../../sdk/offer.ts'

/** The members that a signature is over. */
export type SignedMembers = Omit<PaymentOffer, 'order_urn' | 'escrow_mode' | 'terms'>

/**
 * Signs whatever an offer says, as a client that checks nothing, or one of an attacker: a transfer, unless
 * told otherwise.
 */
export async function signUnchecked(
  offer: SignedMembers,
  signer: TypedDataSigner,
  tokenName: { name: string; version: string },
  type: AuthorizationType = 'transfer',
): Promise<SignedAuthorization> {
  const chainId = Number(offer.network.replace('eip155:', ''))
  const domain = {
    name: tokenName.name,
    version: tokenName.version,
    chainId,
    verifyingContract: getAddress(offer.token),
  }
  const message = {
    from: signer.address,
    to: getAddress(offer.recipient),
    value: parseAmount(offer.amount) ?? -1n,
    validAfter: unixSeconds(offer.valid_after),
    validBefore: unixSeconds(offer.valid_before),
    nonce: offer.nonce as Hex,
  }
  const signature =
    type === 'receive'
      ? await signer.signTypedData(receiveAuthorizationTypedData(domain, message))
      : await signer.signTypedData(transferAuthorizationTypedData(domain, message))
  return { ...message, signature }
}

/** As signUnchecked, encoded for the fund call. */
export async function uncheckedAuthorization(...given: Parameters<typeof signUnchecked>): Promise<string> {
  return encodeSignedAuthorization(await signUnchecked(...given))
}

function unixSeconds(time: string): bigint {
  return BigInt(Math.floor(Date.parse(time) / 1000))
}
