import { type Address, type Hex, hashMessage, isAddressEqual } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { isSignedBy, isSignedByKey } from '../protocol/signatures.ts'
import type { ChainContext } from './context.ts'

/** The EIP-4361 message with which an owner bound a wallet, and its signature. */
export interface WalletBinding {
  message: string
  signature: Hex
}

/**
 * Whether the owner of `wallet` signed this binding: the message is an EIP-4361 one for that address on our chain, and
 * the signature is the address's own, or one that the contract there accepts (ERC-1271, ERC-6492). The key is asked
 * first: an account that has delegated its code since (EIP-7702) bound itself nevertheless. Throws what the RPC throws.
 */
export async function isBoundTo(context: ChainContext, wallet: Address, binding: WalletBinding): Promise<boolean> {
  const { client, at, walletFactories } = context
  const { address, chainId, nonce } = parseSiweMessage(binding.message)
  if (!address || !nonce || chainId !== at.chainId || !isAddressEqual(address, wallet)) return false
  const signed = { account: wallet, digest: hashMessage(binding.message), signature: binding.signature }
  return (await isSignedByKey(signed)) || isSignedBy(client, signed, walletFactories)
}
