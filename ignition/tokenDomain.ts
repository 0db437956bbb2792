import { type Address, domainSeparator, type PublicClient } from 'viem'
import { tokenAbi } from '../protocol/abi/token.ts'

/** The two texts of the token's EIP-712 domain. They differ from network to network. */
export interface TokenNames {
  name: string
  version: string
}

const DECIMALS = 6

/**
 * Reads the texts payers' wallets will sign with, and proves them against the token's own domain separator.
 * Throws an Error when they differ: no authorization made from these texts would ever be valid.
 */
export async function verifyTokenDomain(client: PublicClient, token: Address): Promise<TokenNames> {
  const read = { address: token, abi: tokenAbi } as const
  const [name, version, decimals, actual, chainId] = await Promise.all([
    client.readContract({ ...read, functionName: 'name' }),
    client.readContract({ ...read, functionName: 'version' }),
    client.readContract({ ...read, functionName: 'decimals' }),
    client.readContract({ ...read, functionName: 'DOMAIN_SEPARATOR' }),
    client.getChainId(),
  ])
  if (decimals !== DECIMALS) throw new Error(`token ${token} has ${decimals} decimals, not ${DECIMALS}`)
  const expected = domainSeparator({ domain: { name, version, chainId, verifyingContract: token } })
  if (actual !== expected) {
    throw new Error(
      `token ${token} has domain separator ${actual}; "${name}", "${version}", ${chainId} give ${expected}`,
    )
  }
  return { name, version }
}
