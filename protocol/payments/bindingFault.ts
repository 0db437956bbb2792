import { type Address, isAddressEqual } from 'viem'
import { parseSiweMessage } from 'viem/siwe'

/** The values that a binding must name. */
export interface BindingRequirement {
  wallet: Address
  /** Undefined: any. */
  chainId: number | undefined
  /**
   * The host of the service's public address: a message for another site binds nothing here. Undefined: any.
   */
  domain: string | undefined
  /** The message must name one of these URNs among its resources. Undefined: any account. */
  accounts?: readonly string[]
  /** The present time of the chain in unix seconds. */
  nowSeconds: number
}

/**
 * What is wrong with a binding's text: it is not such a message, or has another wallet, chain, site, time or
 * account.
 */
export type BindingFault = 'malformed' | 'wallet' | 'chain' | 'domain' | 'validity' | 'account'

/**
 * Returns what is wrong with the text of a binding, or undefined. Its signature is for the caller to check.
 */
export function bindingFault(message: string, required: BindingRequirement): BindingFault | undefined {
  const { address, chainId, domain, nonce, issuedAt, notBefore, expirationTime, resources } = parseSiweMessage(message)
  if (!address || !nonce || !issuedAt) return 'malformed'
  if (!isAddressEqual(address, required.wallet)) return 'wallet'
  if (required.chainId !== undefined && chainId !== required.chainId) return 'chain'
  if (required.domain !== undefined && domain !== required.domain) return 'domain'
  const now = required.nowSeconds * 1_000
  // An invalid time compares as false.
  const hasBegun = notBefore === undefined || notBefore.getTime() <= now
  const lasts = expirationTime === undefined || expirationTime.getTime() > now
  if (!hasBegun || !lasts) return 'validity'
  const { accounts } = required
  return accounts && !resources?.some((resource) => accounts.includes(resource)) ? 'account' : undefined
}
