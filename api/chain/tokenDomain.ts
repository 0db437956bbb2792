import type { Address, PublicClient } from 'viem'
import type { TokenDomain } from '../../protocol/authorization.ts'
import { readTokenDomain } from '../../protocol/tokenDomain.ts'
import type { ChainSettings } from '../context.ts'
import { isOutage } from '../faults.ts'

type TokenLocation = Pick<ChainSettings, 'chainId' | 'token'>

const known = new WeakMap<PublicClient, Map<Address, Promise<TokenDomain>>>()

/**
 * The payment token's EIP-712 domain, asked of the token once a client. Throws WrongTokenDomain where the token verifies
 * by another, or what the RPC throws; then it is asked again.
 */
export async function tokenDomain(rpc: PublicClient, chain: TokenLocation): Promise<TokenDomain> {
  const domains = known.get(rpc) ?? new Map<Address, Promise<TokenDomain>>()
  known.set(rpc, domains)
  const asked = domains.get(chain.token) ?? readTokenDomain(rpc, chain)
  domains.set(chain.token, asked)
  asked.catch(() => domains.delete(chain.token))
  return asked
}

/** Throws when payers would be asked for signatures the token refuses. A node that is away is not waited for. */
export async function refuseOtherDomain(rpc: PublicClient, chain: TokenLocation): Promise<void> {
  await tokenDomain(rpc, chain).catch((error: unknown) => {
    if (!isOutage(error)) throw error
  })
}
