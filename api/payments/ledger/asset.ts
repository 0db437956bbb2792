import type { ChainSettings } from '../../context.ts'

/** Returns the ledger's name of the payment token: CAIP-2 chain, then the token's address in lowercase. */
export function assetKey(chain: ChainSettings): string {
  return `eip155:${chain.chainId}/${chain.token.toLowerCase()}`
}
