import { type Address, type PublicClient, parseAbi } from 'viem'
import type { TokenDomain } from '../../protocol/authorization.ts'
import type { ChainSettings } from '../context.ts'

const METADATA = parseAbi(['function name() view returns (string)', 'function version() view returns (string)'])

type TokenLocation = Pick<ChainSettings, 'chainId' | 'token'>

const known = new WeakMap<PublicClient, Map<Address, Promise<TokenDomain>>>()

/** The payment token's EIP-712 domain, asked of the token once a client. Throws what the RPC throws; then it is asked again. */
export async function tokenDomain(rpc: PublicClient, chain: TokenLocation): Promise<TokenDomain> {
  const domains = known.get(rpc) ?? new Map<Address, Promise<TokenDomain>>()
  known.set(rpc, domains)
  const asked = domains.get(chain.token) ?? readDomain(rpc, chain)
  domains.set(chain.token, asked)
  asked.catch(() => domains.delete(chain.token))
  return asked
}

async function readDomain(rpc: PublicClient, { chainId, token }: TokenLocation): Promise<TokenDomain> {
  const [name, version] = await Promise.all([
    rpc.readContract({ address: token, abi: METADATA, functionName: 'name' }),
    rpc.readContract({ address: token, abi: METADATA, functionName: 'version' }),
  ])
  return { name, version, chainId, verifyingContract: token }
}
