import { hashTypedData } from 'viem'
import { hasCode, isAllowedFactory, isSignedBy, unwrapSignature } from '../../../protocol/keys/signatures.ts'
import { type SignedAuthorization, transferAuthorizationTypedData } from '../../../protocol/payments/authorization.ts'
import type { ChainContext } from '../../context/chain.ts'
import { type Fault, fault } from './reasons.ts'

/**
 * Returns what is wrong with a signature by the token's own rule: a key's, a contract's (ERC-1271), or one of
 * a contract that is deployed with the payment (ERC-6492). Throws any error of the RPC.
 */
export async function signatureFault(
  { client, domain, walletFactories }: ChainContext,
  authorization: SignedAuthorization,
): Promise<Fault | undefined> {
  const { signature, ...message } = authorization
  const factory = unwrapSignature(signature)?.deployment?.factory
  const isDeployable = !factory || isAllowedFactory(factory, walletFactories) || (await hasCode(client, message.from))
  if (!isDeployable) {
    return fault('eip6492_factory_not_allowed', `Wallets of the factory ${factory} are not deployed here.`)
  }
  const digest = hashTypedData(transferAuthorizationTypedData(domain, message))
  if (await isSignedBy(client, { account: message.from, digest, signature }, walletFactories)) return undefined
  return fault('invalid_exact_evm_signature', `${message.from} did not sign this for the token of this chain.`)
}
