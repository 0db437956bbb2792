import type { Address, PublicClient } from 'viem'
import { Unfit } from '../protocol/environment/databaseFaults.ts'
import { requireChain } from '../protocol/environment/requireChain.ts'
import { escrowAbi } from '../protocol/generated/escrow.ts'
import type { TokenDomain } from '../protocol/payments/authorization.ts'
import { readEscrowChainId } from '../protocol/payments/escrowChainId.ts'
import { readTokenDomain, WrongTokenDomain } from '../protocol/payments/tokenDomain.ts'
import type { Location } from './context/chain.ts'
import { MULTICALL3 } from './evidence/submission.ts'

/**
 * Verifies that the node serves our chain, that the escrow there hashes our chain id, uses our token and
 * accepts our resolver, if it is given, and that the token verifies what we sign. Returns the token's EIP-712
 * domain. `variable` has the node's URL. Throws Unfit, and any error of the RPC.
 */
export async function checkChain(
  client: PublicClient,
  at: Location,
  { resolver, variable }: { resolver?: Address | undefined; variable?: string } = {},
): Promise<TokenDomain> {
  await requireChain(client, at.chainId, variable)
  await requireCode(client, 'ESCROW_ADDRESS', at.escrow)
  await requireCode(client, 'TOKEN_ADDRESS', at.token)
  const escrow = { address: at.escrow, abi: escrowAbi } as const
  const [heldToken, currentResolver, hashedChain = at.chainId] = await Promise.all([
    client.readContract({ ...escrow, functionName: 'token' }),
    client.readContract({ ...escrow, functionName: 'resolver' }),
    readEscrowChainId(client, at.escrow),
  ])
  if (hashedChain !== at.chainId)
    throw new Unfit(`the escrow was deployed on chain ${hashedChain}, and CHAIN_ID is ${at.chainId}`)
  if (heldToken !== at.token) throw new Unfit(`the escrow holds token ${heldToken}, and TOKEN_ADDRESS is ${at.token}`)
  if (resolver !== undefined && currentResolver !== resolver) {
    throw new Unfit(`the escrow's resolver is ${currentResolver}, and RESOLVER_KEY is the key of ${resolver}`)
  }
  return provenDomain(client, at)
}

/**
 * Verifies that Multicall3, through which wallets are deployed, exists: a call to an address without code
 * would succeed and do nothing.
 */
export async function checkMulticall(client: PublicClient): Promise<void> {
  await requireCode(client, 'the address of Multicall3, which WALLET_FACTORIES needs,', MULTICALL3)
}

async function requireCode(client: PublicClient, variable: string, address: Address): Promise<void> {
  const code = await client.getCode({ address })
  if (!code) throw new Unfit(`there is no contract at ${variable} ${address}`)
}

async function provenDomain(client: PublicClient, at: Location): Promise<TokenDomain> {
  try {
    return await readTokenDomain(client, at)
  } catch (error) {
    throw error instanceof WrongTokenDomain ? new Unfit(error.message) : error
  }
}
