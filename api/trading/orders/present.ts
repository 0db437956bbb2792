import { isAddressEqual } from 'viem'
import type { SignedAuthorization } from '../../../protocol/authorization.ts'
import { HOLD_TYPES, signedType } from '../../../protocol/paymentSignature.ts'
import { tokenDomain } from '../../payments/chain/tokenDomain.ts'
import type { Services } from '../../platform/http/serve/services.ts'
import { decodeSignedAuthorization } from './authorization.ts'
import type { PresentedPayment } from './presented.ts'
import { decodePaymentSignature } from './x402.ts'

/**
 * Reads a payment from the fund call's `signed_authorization` and checks its signature: of a payment to the escrow as a
 * `ReceiveWithAuthorization`, then as a `TransferWithAuthorization`. Throws 400 if it is malformed.
 */
export async function presentNative(services: Services, orderId: string, encoded: string): Promise<PresentedPayment> {
  const authorization = decodeSignedAuthorization(encoded)
  return { lane: 'native', orderId, authorization, isSigned: await isSigned(services, authorization) }
}

/** Reads a payment from a PAYMENT-SIGNATURE header and checks its signature. Throws 400 if it is malformed. */
export async function presentX402(services: Services, header: string): Promise<PresentedPayment> {
  const { orderId, authorization } = decodePaymentSignature(services.settings, header)
  return { lane: 'x402', orderId, authorization, isSigned: await isSigned(services, authorization) }
}

async function isSigned({ rpc, settings }: Services, authorization: SignedAuthorization): Promise<boolean> {
  const { escrow, walletFactories: factories } = settings.chain
  const domain = await tokenDomain(rpc, settings.chain)
  const types = isAddressEqual(authorization.to, escrow) ? HOLD_TYPES : (['transfer'] as const)
  return (await signedType(rpc, domain, authorization, { types, factories })) !== undefined
}
