import { type Address, hashMessage } from 'viem'
import { isSignedBy, isSignedByKey } from '../../protocol/keys/signatures.ts'
import { bindingFault } from '../../protocol/payments/bindingFault.ts'
import type { WalletBinding } from '../../protocol/payments/walletBinding.ts'
import type { Pass } from '../evidence/pass.ts'

/**
 * Returns whether the owner of `wallet` signed this binding: the message is a valid EIP-4361 one for that
 * address on our chain and site and, if `accounts` are given, for one of them; and the signature is the
 * address's own, or one that its contract accepts (ERC-1271, ERC-6492). The key's signature is checked first:
 * an account that has delegated its code since (EIP-7702) is still bound. Throws any error of the RPC.
 */
export async function isBoundTo(
  pass: Pass,
  wallet: Address,
  binding: WalletBinding,
  accounts?: readonly string[],
): Promise<boolean> {
  const { client, at, domainName, walletFactories, head } = pass
  const nowSeconds = Number(head.confirmed.timestamp)
  const required = { wallet, chainId: at.chainId, domain: domainName, nowSeconds, ...(accounts ? { accounts } : {}) }
  if (bindingFault(binding.message, required)) return false
  const signed = { account: wallet, digest: hashMessage(binding.message), signature: binding.signature }
  return (await isSignedByKey(signed)) || isSignedBy(client, signed, walletFactories)
}
