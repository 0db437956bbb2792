import { isDeepStrictEqual } from 'node:util'
import {
  BlockNotFoundError,
  type Hex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { askAll } from '../../../protocol/rpc/askAll.ts'
import type { ChainSettings } from '../../context.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { argumentsOf, decodeEvent } from './decode.ts'
import { businessKey, type ChainEvent } from './evidence.ts'
import type { IndexRow } from './indexRows.ts'
import { nodesOf } from './nodes.ts'

/**
 * The nodes' answer about a row: the event read from the log, or undefined when a node shows something else.
 */
export interface Verified {
  row: IndexRow
  event: ChainEvent | undefined
  /** One node confirms the row and the other does not. */
  isDisputed: boolean
}

/**
 * Checks rows of the index at every node: the block at that height has that hash, its transaction succeeded,
 * and the log there matches the row exactly. Throws any error of an RPC, in which case nothing is known.
 */
export async function verifyRows(
  services: Pick<JobServices, 'rpc' | 'verifyRpc' | 'settings'>,
  rows: readonly IndexRow[],
): Promise<Verified[]> {
  const answers = await Promise.all(nodesOf(services).map((node) => verifyAt(node, services.settings.chain, rows)))
  return rows.map((row, index) => {
    const events = answers.map((events) => events[index])
    const isConfirmed = events.every((event) => event !== undefined)
    const isDisputed = !isConfirmed && events.some((event) => event !== undefined)
    return { row, event: isConfirmed ? events[0] : undefined, isDisputed }
  })
}

async function verifyAt(
  rpc: PublicClient,
  chain: ChainSettings,
  rows: readonly IndexRow[],
): Promise<(ChainEvent | undefined)[]> {
  const numbers = rows.map((row) => row.block_number)
  const transactions = rows.map((row) => row.tx_hash)
  const [hashes, receipts] = await Promise.all([
    blockHashes(rpc, numbers),
    lookUp(transactions, (hash) => receiptOf(rpc, hash)),
  ])
  return rows.map((row) => {
    const receipt = receipts.get(row.tx_hash)
    const isCanonical = hashes.get(row.block_number) === row.block_hash && receipt?.blockHash === row.block_hash
    return receipt && isCanonical ? matching(chain, row, receipt) : undefined
  })
}

/** Returns a node's block hashes at these heights; undefined where it has no block. */
export function blockHashes(rpc: PublicClient, numbers: readonly bigint[]): Promise<Map<bigint, Hex | undefined>> {
  return lookUp(numbers, async (blockNumber) => {
    try {
      return (await rpc.getBlock({ blockNumber })).hash
    } catch (error) {
      if (error instanceof BlockNotFoundError) return undefined
      throw error
    }
  })
}

/** Returns a transaction's receipt at a node, or undefined if it has none. */
export async function receiptOf(rpc: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await rpc.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

function matching(chain: ChainSettings, row: IndexRow, receipt: TransactionReceipt): ChainEvent | undefined {
  if (receipt.status !== 'success') return undefined
  const event = decodeEvent(chain, row.kind, receipt.logs, row.log_index)
  const isSame = event && businessKey(event) === row.key && isDeepStrictEqual(argumentsOf(event), row.event_arguments)
  return isSame ? event : undefined
}

async function lookUp<Key, Value>(keys: readonly Key[], ask: (key: Key) => Promise<Value>): Promise<Map<Key, Value>> {
  return new Map(await askAll([...new Set(keys)], async (key) => [key, await ask(key)] as const))
}
