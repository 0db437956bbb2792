/** A node, or a wallet's view of one: an EIP-1193 provider, such as `window.ethereum` or a client of viem. */
export interface EthereumProvider {
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

/** A block of a node. The time is in unix seconds. */
export interface EthereumBlock {
  hash: string
  timestamp: bigint
}

const BALANCE_OF = '0x70a08231'

/** Returns the id of the chain that a node follows. Throws any error of the node. */
export async function readChainId(node: EthereumProvider): Promise<number> {
  return Number(await node.request({ method: 'eth_chainId' }))
}

/** Returns a block, or undefined if the node does not have it. Throws any error of the node. */
export async function readBlock(node: EthereumProvider, block: bigint | 'latest'): Promise<EthereumBlock | undefined> {
  const params = [tagOf(block), false]
  const found = (await node.request({ method: 'eth_getBlockByNumber', params })) as Record<string, string> | null
  return found ? { hash: String(found.hash), timestamp: BigInt(found.timestamp ?? 0) } : undefined
}

/**
 * Returns an account's balance of a token at a block, in the token's smallest unit. Throws any error of the
 * node.
 */
export async function readBalance(node: EthereumProvider, token: string, account: string, block: bigint) {
  const data = `${BALANCE_OF}${account.slice(2).toLowerCase().padStart(64, '0')}`
  return BigInt(String(await node.request({ method: 'eth_call', params: [{ to: token, data }, tagOf(block)] })))
}

/** Returns whether two texts name one account. */
export function isSameAccount(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function tagOf(block: bigint | 'latest'): string {
  return block === 'latest' ? block : `0x${block.toString(16)}`
}
