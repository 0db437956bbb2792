import type { SignedAuthorization } from '../../protocol/authorization.ts'
import { PAYMENT_SIGNATURE } from './x402.ts'

/**
 * A payment as a caller hands it over. `native` is the fund call of spec 4.1, whose nonce names the order; `x402` is a
 * PAYMENT-SIGNATURE header, whose nonce its client drew. The chain was asked about the signature beforehand.
 */
export interface PresentedPayment {
  lane: 'native' | 'x402'
  orderId: string
  authorization: SignedAuthorization
  isSigned: boolean
}

/** The request field a member of the authorization came in. */
export function memberField(lane: PresentedPayment['lane'], member: keyof SignedAuthorization): string {
  if (lane === 'native') return `signed_authorization.${member}`
  return member === 'signature'
    ? `${PAYMENT_SIGNATURE}.payload.signature`
    : `${PAYMENT_SIGNATURE}.payload.authorization.${member}`
}
