import { type Address, encodeFunctionData, type Hex, multicall3Abi } from 'viem'
import { hasCode, isAllowedFactory, unwrapSignature, type WalletDeployment } from '../protocol/signatures.ts'
import type { Call, Pass } from './context.ts'
import { type Decision, refused, send } from './decision.ts'

/** Where Multicall3 is on every chain that has it. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** A payer and what it signed with, an ERC-6492 wrapper included. */
export interface Signed {
  payer: Address
  signature: Hex
}

/** What takes an authorization to the chain, but for who sends it. */
export type Submission = Omit<Call, 'signer' | 'explain'> & Required<Pick<Call, 'explain'>>
type Target = Pick<Call, 'to' | 'data'>

/**
 * The call that takes a payer's authorization to the chain, made by `withSignature` for the signature the token is to
 * see. A wallet that is not there yet is deployed in the same transaction, which reverts as a whole unless the
 * authorization is taken: its success is the payment's. Only an allow-listed factory is called, and by Multicall3, which
 * owns nothing, never by a key of ours.
 */
export async function submit(
  pass: Pass,
  { payer, signature }: Signed,
  withSignature: (signature: Hex) => Submission,
): Promise<Decision> {
  const unwrapped = unwrapSignature(signature)
  // What the chain has done already counts, whatever we think of the signature.
  if (!unwrapped) return (await withSignature(signature).explain()) ?? refused('signature_invalid')
  const call = { signer: 'submitter', ...withSignature(unwrapped.signature) } as const
  if (!unwrapped.deployment || (await hasCode(pass.client, payer))) return send(call)
  if (!isAllowedFactory(unwrapped.deployment.factory, pass.walletFactories)) {
    return (await call.explain()) ?? refused('factory_not_allowed')
  }
  // Multicall3 does not pass a reason on. Whatever it was, nothing is tried any more once the authorization is over.
  return send({ ...call, ...deployAndCall(unwrapped.deployment, call), passing: ['reverted'] })
}

/** One call that deploys a wallet, or finds it deployed meanwhile, and then makes another. It fails when the other does. */
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
