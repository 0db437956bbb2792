import { createPublicClient, custom, type PublicClient, padHex, toHex } from 'viem'
import type { Tx } from '../../../api/platform/db/pool.ts'
import { inTransaction } from '../../../api/platform/db/transaction.ts'
import type { World } from '../api/payments/escrow/world.ts'

/** Runs a verb as the service does: a deadlock or a serialization failure has it run again. */
export function runIn<Answer>({ serviceDb }: World, verb: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  return inTransaction(serviceDb, 'read write', verb)
}

/** A node of a chain on which nothing has happened, at a time (unix seconds). */
export function idleNode(chainId: number, now: bigint): PublicClient {
  const request = async ({ method, params }: { method: string; params?: string[] }) => {
    if (method === 'eth_chainId') return toHex(chainId)
    if (method === 'eth_getLogs') return []
    if (method === 'eth_call') return padHex('0x0', { size: 32 })
    if (method === 'eth_getTransactionReceipt') return null
    const number = params?.[0] === 'latest' ? toHex(100) : params?.[0]
    return { number, hash: padHex(toHex(Number(number) + 1), { size: 32 }), timestamp: toHex(now), transactions: [] }
  }
  return createPublicClient({ transport: custom({ request }), cacheTime: 0 })
}
