import { hashTypedData } from 'viem'
import { type SignedAuthorization, transferAuthorizationTypedData } from '../../protocol/authorization.ts'
import { isSignedBy } from '../../protocol/signatures.ts'
import { tokenDomain } from '../chain/tokenDomain.ts'
import type { Services } from '../http/serve.ts'
import { decodeSignedAuthorization } from './authorization.ts'
import type { PresentedPayment } from './presented.ts'
import { decodePaymentSignature } from './x402.ts'

/** A payment from the fund call's `signed_authorization`, its signature checked. Throws 400 when it cannot be read. */
export async function presentNative(services: Services, orderId: string, encoded: string): Promise<PresentedPayment> {
  const authorization = decodeSignedAuthorization(encoded)
  return { lane: 'native', orderId, authorization, isSigned: await isSigned(services, authorization) }
}

/** A payment from a PAYMENT-SIGNATURE header, its signature checked. Throws 400 when it cannot be read. */
export async function presentX402(services: Services, header: string): Promise<PresentedPayment> {
  const { orderId, authorization } = decodePaymentSignature(services.settings, header)
  return { lane: 'x402', orderId, authorization, isSigned: await isSigned(services, authorization) }
}

async function isSigned({ rpc, settings }: Services, authorization: SignedAuthorization): Promise<boolean> {
  const { signature, ...message } = authorization
  const domain = await tokenDomain(rpc, settings.chain)
  const digest = hashTypedData(transferAuthorizationTypedData(domain, message))
  return isSignedBy(rpc, { account: message.from, digest, signature }, settings.chain.walletFactories)
}
