import { type Client, createClient, type Hex, type HttpTransport, http, rpcSchema } from 'viem'

type DevelopmentRpc = [
  { Method: 'evm_increaseTime'; Parameters: [number]; ReturnType: unknown },
  { Method: 'evm_mine'; Parameters?: undefined; ReturnType: unknown },
  { Method: 'eth_getBlockByNumber'; Parameters: ['latest', false]; ReturnType: { number: Hex; timestamp: Hex } },
]

/** A sandbox's development node: its time and its blocks advance on request. */
export type DevelopmentNode = Client<HttpTransport, undefined, undefined, DevelopmentRpc>

/** Opens a client of the sandbox's node. */
export function openDevelopmentNode(rpcUrl: string): DevelopmentNode {
  return createClient({ transport: http(rpcUrl, { retryCount: 0 }), rpcSchema: rpcSchema<DevelopmentRpc>() })
}
