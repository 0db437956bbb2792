import { isAddressEqual } from 'viem'
import type { SignedAuthorization } from '../../../../protocol/payments/authorization.ts'
import { HOLD_TYPES, normalizePayment, signedType } from '../../../../protocol/payments/paymentSignature.ts'
import { tokenDomain } from '../../../payments/chain/nodes.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import { decodeSignedAuthorization } from '../record/authorization.ts'
import { decodePaymentSignature, PAYMENT_SIGNATURE } from '../record/x402.ts'

/**
 * Reads a payment from the fund call's `signed_authorization` and checks its signature: of a payment to the
 * escrow as a `ReceiveWithAuthorization`, then as a `TransferWithAuthorization`. Throws 400 if it is
 * malformed.
 */
export async function presentNative(services: Services, orderId: string, encoded: string): Promise<PresentedPayment> {
  return { lane: 'native', orderId, ...(await checkSignature(services, decodeSignedAuthorization(encoded))) }
}

/**
 * Reads a payment from a PAYMENT-SIGNATURE header and checks its signature. Throws 400 if it is malformed.
 */
export async function presentX402(services: Services, header: string): Promise<PresentedPayment> {
  const { orderId, authorization } = decodePaymentSignature(services.settings, header)
  return { lane: 'x402', orderId, ...(await checkSignature(services, authorization)) }
}

/** Returns the payment with its signature in the form that goes on chain, and whether that is the payer's. */
async function checkSignature({ rpc, settings }: Services, presented: SignedAuthorization) {
  const { escrow, walletFactories: factories } = settings.chain
  const domain = await tokenDomain(rpc, settings.chain)
  const types = isAddressEqual(presented.to, escrow) ? HOLD_TYPES : (['transfer'] as const)
  const authorization = await normalizePayment(domain, presented, types)
  const isSigned = (await signedType(rpc, domain, authorization, { types, factories })) !== undefined
  return { authorization, isSigned }
}

/**
 * A payment as a caller presents it. `native` is the fund call of spec 4.1, whose nonce names the order;
 * `x402` is a PAYMENT-SIGNATURE header, whose nonce its client drew. The chain has already checked the
 * signature.
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
