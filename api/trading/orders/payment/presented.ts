import type { SignedAuthorization } from '../../../../protocol/payments/authorization.ts'
import { PAYMENT_SIGNATURE } from '../record/x402.ts'

/**
 * A payment as a caller presents it. `native` is the fund call of spec 4.1, whose nonce names the order; `x402` is a
 * PAYMENT-SIGNATURE header, whose nonce its client drew. The chain has already checked the signature.
 */
export interface PresentedPayment {
  lane: 'native' | 'x402'
  orderId: string
  authorization: SignedAuthorization
  isSigned: boolean
}

/** Returns the request field that holds a member of the authorization. */
export function memberField(lane: PresentedPayment['lane'], member: keyof SignedAuthorization): string {
  if (lane === 'native') return `signed_authorization.${member}`
  return member === 'signature'
    ? `${PAYMENT_SIGNATURE}.payload.signature`
    : `${PAYMENT_SIGNATURE}.payload.authorization.${member}`
}
