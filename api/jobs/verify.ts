import { isDeepStrictEqual } from 'node:util'
import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { ChainSettings } from '../context.ts'
import { businessKey, type ChainEvent } from '../escrow/evidence.ts'
import { claimsOf } from './claims.ts'
import { decodeFact } from './decode.ts'
import type { IndexRow } from './indexRows.ts'

const REQUESTS_AT_ONCE = 8

/** What a node says of a row: the fact itself, read from the log; or undefined when the node tells it differently. */
export interface Verified {
  row: IndexRow
  event: ChainEvent | undefined
}

/**
 * Checks rows of the index at a node: the block at that height has that hash, the transaction in it succeeded, and the
 * log there says exactly what the row does. Throws what the RPC throws: then nothing is known.
 */
export async function verifyRows(
  rpc: PublicClient,
  chain: ChainSettings,
  rows: readonly IndexRow[],
): Promise<Verified[]> {
  const blocks = await lookUp(unique(rows.map((row) => row.block_number)), (blockNumber) =>
    rpc.getBlock({ blockNumber }),
  )
  const receipts = await lookUp(unique(rows.map((row) => row.tx_hash)), (hash) => receiptOf(rpc, hash))
  return rows.map((row) => {
    const receipt = receipts.get(row.tx_hash)
    const isCanonical = blocks.get(row.block_number)?.hash === row.block_hash && receipt?.blockHash === row.block_hash
    return { row, event: receipt && isCanonical ? matching(chain, row, receipt) : undefined }
  })
}

function matching(chain: ChainSettings, row: IndexRow, receipt: TransactionReceipt): ChainEvent | undefined {
  if (receipt.status !== 'success') return undefined
  const event = decodeFact(chain, row.kind, receipt.logs, row.log_index)
  const isSame = event && businessKey(event) === row.key && isDeepStrictEqual(claimsOf(event), row.claims)
  return isSame ? event : undefined
}

async function receiptOf(rpc: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await rpc.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}

async function lookUp<Key, Value>(keys: readonly Key[], ask: (key: Key) => Promise<Value>): Promise<Map<Key, Value>> {
  const answers = new Map<Key, Value>()
  for (let start = 0; start < keys.length; start += REQUESTS_AT_ONCE) {
    const batch = keys.slice(start, start + REQUESTS_AT_ONCE)
    const values = await Promise.all(batch.map(ask))
    for (const [index, key] of batch.entries()) answers.set(key, values[index] as Value)
  }
  return answers
}
