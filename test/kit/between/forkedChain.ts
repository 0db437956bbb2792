import { createPublicClient, custom, type Hex, keccak256, numberToHex, type PublicClient, pad, toHex } from 'viem'
import type { ChainSettings } from '../../../api/context.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../../../protocol/rpc/topics.ts'
import { asked } from './statements.ts'

/** A signed payment to the hot wallet, and the block that it is in; undefined for one that no block has. */
export interface ChainPayment {
  from: Hex
  nonce: Hex
  amount: bigint
  txHash: Hex
  block: bigint | undefined
}

/**
 * A chain in memory, which a test can have reorganise. Each question to its node counts as a statement of an
 * act.
 */
export interface ForkedChain {
  /** Each act has a client of its own: one asks the same question once, for all who ask it at a time. */
  newClient: () => PublicClient
  head: () => bigint
  hashOf: (block: bigint) => Hex
  /** Adds empty blocks. */
  mine: (blocks: bigint) => void
  add: (payment: ChainPayment) => void
  /**
   * Replaces the blocks from one on by as many others, in which a payment is in another block, or in none.
   */
  fork: (from: bigint, payment: ChainPayment, block: bigint | undefined) => void
}

/** Starts a chain without a payment. */
export function startForkedChain({ chainId, token, hotWallet }: ChainSettings, now: bigint): ForkedChain {
  const payments = new Map<Hex, ChainPayment>()
  const forks: bigint[] = []
  let head = 10n
  const hashOf = (block: bigint) => keccak256(toHex(`${block} ${forks.findLastIndex((from) => from <= block)}`))
  const logsOf = ({ from, nonce, amount, txHash, block = 0n }: ChainPayment) => {
    const place = { transactionHash: txHash, blockNumber: numberToHex(block), blockHash: hashOf(block) }
    const common = { ...place, address: token, transactionIndex: '0x0', removed: false }
    return [
      { ...common, logIndex: '0x0', topics: [AUTHORIZATION_USED, pad(from), nonce], data: '0x' },
      {
        ...common,
        logIndex: '0x1',
        topics: [TRANSFER, pad(from), pad(hotWallet).toLowerCase()],
        data: pad(toHex(amount)),
      },
    ]
  }
  const receiptOf = (payment: ChainPayment | undefined) => {
    if (payment?.block === undefined) return null
    const [first, ...others] = logsOf(payment)
    return { ...first, status: '0x1', type: '0x2', logs: [first, ...others] }
  }
  const found = ({ address, topics, fromBlock, toBlock }: LogsAsked) =>
    [...payments.values()]
      .filter(({ block }) => block !== undefined && block >= BigInt(fromBlock) && block <= BigInt(toBlock))
      .flatMap(logsOf)
      .filter((log) => log.address === address && topics.every((wanted, at) => isOne(wanted, log.topics[at])))
  const answer = (method: string, [first]: unknown[]): unknown => {
    if (method === 'eth_chainId') return toHex(chainId)
    if (method === 'eth_blockNumber') return toHex(head)
    if (method === 'eth_getLogs') return found(first as LogsAsked)
    if (method === 'eth_getTransactionReceipt') return receiptOf(payments.get(first as Hex))
    if (method !== 'eth_getBlockByNumber') throw new Error(`the node is not asked for ${method}`)
    const number = first === 'latest' ? head : BigInt(first as Hex)
    if (number > head) return null
    return { number: numberToHex(number), hash: hashOf(number), timestamp: toHex(now), transactions: [] }
  }
  const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
    await asked(`${method} ${JSON.stringify(params)}`)
    return answer(method, params)
  }
  return {
    newClient: () => createPublicClient({ transport: custom({ request }), cacheTime: 0 }),
    head: () => head,
    hashOf,
    mine: (blocks) => {
      head += blocks
    },
    add: (payment) => void payments.set(payment.txHash, payment),
    fork: (from, payment, block) => {
      forks.push(from)
      payment.block = block
    },
  }
}

interface LogsAsked {
  address: Hex
  topics: (Hex | Hex[] | null)[]
  fromBlock: Hex
  toBlock: Hex
}

function isOne(wanted: Hex | Hex[] | null | undefined, topic: string | undefined): boolean {
  if (wanted === null || wanted === undefined) return true
  return Array.isArray(wanted) ? wanted.includes(topic as Hex) : wanted === topic
}
