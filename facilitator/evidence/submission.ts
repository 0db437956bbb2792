import { type Address, encodeFunctionData, type Hex, multicall3Abi } from 'viem'
import { hasCode, isAllowedFactory, unwrapSignature, type WalletDeployment } from '../../protocol/keys/signatures.ts'
import { type Call, type Decision, refused, send } from '../context/decision.ts'
import type { Pass } from './pass.ts'

/** The address of Multicall3 on every chain that has it. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** A payer and its signature, which may have an ERC-6492 wrapper. */
export interface Signed {
  payer: Address
  signature: Hex
}

/** The call that submits an authorization, without its sender. */
export type Submission = Omit<Call, 'signer' | 'explain'> & Required<Pick<Call, 'explain'>>
type Target = Pick<Call, 'to' | 'data'>

/**
 * Submits a payer's authorization by the call that `withSignature` makes for the signature the token checks.
 * A wallet that is not deployed yet is deployed in the same transaction, which reverts as a whole unless the
 * authorization is accepted: its success is the payment's. Only an allow-listed factory is called, and by
 * Multicall3, which owns nothing, never by a key of ours.
 */
export async function submit(
  pass: Pass,
  { payer, signature }: Signed,
  withSignature: (signature: Hex) => Submission,
): Promise<Decision> {
  const unwrapped = unwrapSignature(signature)
  // What the chain has already done counts, even if we consider the signature invalid.
  if (!unwrapped) return (await withSignature(signature).explain()) ?? refused('signature_invalid')
  const call = { signer: 'submitter', ...withSignature(unwrapped.signature) } as const
  if (!unwrapped.deployment || (await hasCode(pass.client, payer))) return send(call)
  if (!isAllowedFactory(unwrapped.deployment.factory, pass.walletFactories)) {
    return (await call.explain()) ?? refused('factory_not_allowed')
  }
  // Multicall3 does not pass on the reason. Whatever it is, attempts end once the authorization expires.
  return send({ ...call, ...deployAndCall(unwrapped.deployment, call), passing: ['reverted'] })
}

/**
 * Returns one call that deploys a wallet, unless it was deployed meanwhile, and then makes another call. It
 * fails if the latter fails.
 */
function deployAndCall({ factory, data }: WalletDeployment, target: Target): Target {
  const calls = [
    { target: factory, allowFailure: true, callData: data },
    { target: target.to, allowFailure: false, callData: target.data },
  ]
  return {
    to: MULTICALL3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
  }
}
