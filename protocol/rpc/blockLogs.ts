import { type Address, type Hex, hexToBytes, keccak256 } from 'viem'

/** A log in a node's JSON. */
export interface RawLog {
  address: Address
  topics: readonly Hex[]
  blockHash: Hex | null
  logIndex: Hex | null
}

interface RawBlock {
  number: Hex
  logsBloom: Hex
  transactions: readonly Hex[]
}

interface RawReceipt {
  blockHash: Hex
  logs: readonly RawLog[]
}

/** Sends a request to a node. Throws any error of the request. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>

/** All logs of a block, as far as a node gives them. */
export interface BlockLogs {
  /** In chain order, each once. */
  logs: RawLog[]
  /** The block's number. Undefined when the node does not have the block. */
  number: bigint | undefined
  /** Whether `eth_getLogs` left logs out that the receipts have. */
  isShort: boolean
  /** Whether nothing shows that a log is missing. */
  isWhole: boolean
}

const BLOOM_BYTES = 256
/**
 * The positions of a value in a bloom filter: the lowest eleven bits of the first three pairs of bytes of its
 * hash.
 */
const BLOOM_PAIRS = [0, 2, 4]

/**
 * Returns all logs of a block. If the logs of `eth_getLogs` do not fill the block's bloom filter, or their
 * numbers have gaps, the receipts are read too. Throws any error of `ask`.
 */
export async function readBlockLogs(ask: AskNode, blockHash: Hex): Promise<BlockLogs> {
  const [found, block] = await Promise.all([
    ask('eth_getLogs', [{ blockHash }]) as Promise<RawLog[]>,
    ask('eth_getBlockByHash', [blockHash, false]) as Promise<RawBlock | null>,
  ])
  const logs = eachOnce(found)
  if (!block) return { logs, number: undefined, isShort: false, isWhole: true }
  const number = BigInt(block.number)
  if (areWhole(logs, block)) return { logs, number, isShort: false, isWhole: true }
  const receipts = await readReceipts(ask, blockHash, block)
  const all = eachOnce([...logs, ...receipts.flatMap((receipt) => receipt.logs)])
  return { logs: all, number, isShort: all.length > logs.length, isWhole: areWhole(all, block) }
}

/** Returns logs in chain order, each place of a block once. Logs without a place stay as they are. */
export function eachOnce(logs: readonly RawLog[]): RawLog[] {
  const places = new Set<string>()
  return logs
    .filter(({ blockHash, logIndex }) => {
      if (logIndex === null) return true
      const place = `${blockHash} ${Number(logIndex)}`
      return !places.has(place) && places.add(place)
    })
    .toSorted((one, other) => (one.blockHash === other.blockHash ? Number(one.logIndex) - Number(other.logIndex) : 0))
}

/**
 * Returns a block's receipts. Asks a node without `eth_getBlockReceipts` for the receipt of each transaction.
 */
async function readReceipts(ask: AskNode, blockHash: Hex, { transactions }: RawBlock): Promise<RawReceipt[]> {
  const together = (await ask('eth_getBlockReceipts', [blockHash]).catch(() => null)) as RawReceipt[] | null
  const receipts =
    together ??
    (await Promise.all(
      transactions.map((hash) => ask('eth_getTransactionReceipt', [hash]) as Promise<RawReceipt | null>),
    ))
  return receipts.filter((receipt) => receipt !== null && receipt.blockHash === blockHash) as RawReceipt[]
}

function areWhole(logs: readonly RawLog[], { logsBloom }: RawBlock): boolean {
  return logs.every(({ logIndex }, place) => Number(logIndex) === place) && fillBloom(logs, hexToBytes(logsBloom))
}

/**
 * Returns whether every bit of a block's bloom filter comes from one of the logs. Some chains leave the
 * filter empty.
 */
function fillBloom(logs: readonly RawLog[], expected: Uint8Array): boolean {
  const filled = new Uint8Array(BLOOM_BYTES)
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    const hash = keccak256(value, 'bytes')
    for (const pair of BLOOM_PAIRS) {
      const bit = (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) & (8 * BLOOM_BYTES - 1)
      const byte = BLOOM_BYTES - 1 - (bit >> 3)
      filled[byte] = (filled[byte] ?? 0) | (1 << (bit & 7))
    }
  }
  return expected.every((bits, byte) => (bits & ~(filled[byte] ?? 0)) === 0)
}
