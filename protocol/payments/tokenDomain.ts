import { type Address, domainSeparator, type PublicClient } from 'viem'
import { tokenAbi } from '../generated/token.ts'
import type { TokenDomain } from './authorization.ts'

/** The token's domain separator does not match its name and version: waiting does not change that. */
export class WrongTokenDomain extends Error {}

/**
 * Reads the EIP-712 domain that payers' wallets sign with, and verifies it against the token's own separator.
 * The texts differ by network: Base has "USD Coin", Base Sepolia "USDC". Throws WrongTokenDomain if they do
 * not match, since no authorization made from these texts would ever be valid; otherwise any error of the
 * RPC.
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
