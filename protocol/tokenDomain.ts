import { type Address, domainSeparator, type PublicClient } from 'viem'
import { tokenAbi } from './abi/token.ts'
import type { TokenDomain } from './authorization.ts'

/** What the token verifies signatures by is not what its name and version say: no waiting will change that. */
export class WrongTokenDomain extends Error {}

/**
 * Reads the EIP-712 domain that payers' wallets sign with, and proves it against the separator the token itself verifies
 * by. The texts differ from network to network: Base has "USD Coin", Base Sepolia "USDC".
 * Throws WrongTokenDomain where they differ, since no authorization made from these texts would ever be valid; otherwise
 * what the RPC throws.
 */
export async function readTokenDomain(
  client: Pick<PublicClient, 'readContract'>,
  { chainId, token }: { chainId: number; token: Address },
): Promise<TokenDomain> {
  const read = { address: token, abi: tokenAbi } as const
  const [name, version, actual] = await Promise.all([
    client.readContract({ ...read, functionName: 'name' }),
    client.readContract({ ...read, functionName: 'version' }),
    client.readContract({ ...read, functionName: 'DOMAIN_SEPARATOR' }),
  ])
  const domain = { name, version, chainId, verifyingContract: token }
  const expected = domainSeparator({ domain })
  if (actual !== expected) {
    throw new WrongTokenDomain(
      `token ${token} has domain separator ${actual}; "${name}", "${version}" and chain ${chainId} give ${expected}`,
    )
  }
  return domain
}
