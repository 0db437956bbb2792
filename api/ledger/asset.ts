import type { ChainSettings } from '../context.ts'

/** The payment token as the ledger names it: CAIP-2 chain, then the token's address in lowercase. */
export function assetKey(chain: ChainSettings): string {
  return `eip155:${chain.chainId}/${chain.token.toLowerCase()}`
}
