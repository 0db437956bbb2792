import type { Address, PublicClient } from 'viem'
import type { TokenDomain } from '../../../protocol/payments/authorization.ts'
import { readTokenDomain } from '../../../protocol/payments/tokenDomain.ts'
import type { ChainSettings } from '../../context.ts'
import { isOutage } from '../../faults.ts'

type TokenLocation = Pick<ChainSettings, 'chainId' | 'token'>

const known = new WeakMap<PublicClient, Map<Address, Promise<TokenDomain>>>()

/**
 * Returns the payment token's EIP-712 domain, read from the token once per client. Throws WrongTokenDomain if the token
 * verifies by another domain, and any error of the RPC; the next call then reads it again.
 */
export async function tokenDomain(rpc: PublicClient, chain: TokenLocation): Promise<TokenDomain> {
  const domains = known.get(rpc) ?? new Map<Address, Promise<TokenDomain>>()
  known.set(rpc, domains)
  const asked = domains.get(chain.token) ?? readTokenDomain(rpc, chain)
  domains.set(chain.token, asked)
  asked.catch(() => domains.delete(chain.token))
  return asked
}

/** Throws if payers would be asked for signatures that the token refuses. An unreachable node is not waited for. */
export async function refuseOtherDomain(rpc: PublicClient, chain: TokenLocation): Promise<void> {
  await tokenDomain(rpc, chain).catch((error: unknown) => {
    if (!isOutage(error)) throw error
  })
}
