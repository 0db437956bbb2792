import type { Address, PublicClient } from 'viem'
import { tokenAbi } from '../protocol/generated/token.ts'
import { readTokenDomain } from '../protocol/payments/tokenDomain.ts'

/** The two texts of the token's EIP-712 domain. They differ from network to network. */
export interface TokenNames {
  name: string
  version: string
}

const DECIMALS = 6

/**
 * Reads the texts payers' wallets will sign with, proved against the token's own domain separator.
 * Throws an Error when they differ, or when the token's unit is not the millionth.
 */
export async function verifyTokenDomain(client: PublicClient, token: Address): Promise<TokenNames> {
  const chainId = await client.getChainId()
  const decimals = await client.readContract({ address: token, abi: tokenAbi, functionName: 'decimals' })
  if (decimals !== DECIMALS) throw new Error(`token ${token} has ${decimals} decimals, not ${DECIMALS}`)
  const { name, version } = await readTokenDomain(client, { chainId, token })
  return { name, version }
}
