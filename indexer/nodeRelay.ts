import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Address, type Hex, HttpRequestError, RpcRequestError } from 'viem'
import { type AskNode, type BlockLogs, eachOnce, type RawLog, readBlockLogs } from '../protocol/rpc/blockLogs.ts'
import { nodeTransport } from '../protocol/rpc/rpc.ts'

/**
 * Ponder asks for the logs of a block twice: once to follow the chain, once for the log before a transfer.
 */
const KEPT_BLOCKS = 8
/** JSON-RPC's own code: an error of the node itself is passed on unchanged. */
const INTERNAL_ERROR = -32_603
const BAD_GATEWAY = 502

/** Logs that a node does not return. */
export interface LogsFault {
  blockNumber: bigint
  blockHash: Hex
}

/** How a relay reports logs that the node leaves out. */
export interface RelayListener {
  /** `eth_getLogs` left out logs of a block, and the receipts had them. */
  onShort: (fault: LogsFault) => void
  /** A block has more logs than any method of the node returns: the index will lack them. */
  onMissing: (fault: LogsFault) => void
}

interface Question {
  id: number
  method: string
  params: readonly unknown[]
}

interface LogFilter {
  blockHash?: Hex
  address?: Address | Address[]
  topics?: (Hex | Hex[] | null)[]
}

/**
 * Starts a relay between Ponder and its node, and returns its address, which only this machine reaches.
 * Ponder stops at a block whose logs come twice, and believes an answer that leaves some out. Here each log
 * comes once, and those of a block are compared with its bloom filter and completed from its receipts. All
 * other calls pass unchanged.
 */
export async function startNodeRelay(rpcUrl: string, listener: RelayListener): Promise<string> {
  const { request } = nodeTransport(rpcUrl, { retryCount: 0 })({})
  const ask: AskNode = (method, params) => request({ method, params } as Parameters<typeof request>[0])
  const answer = openAnswers(ask, listener)
  const server = createServer((asked, response) => {
    void relay(answer, asked, response).catch(() => response.destroy())
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(0, '127.0.0.1', resolve)
  await promise
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function relay(
  answer: (question: Question) => Promise<unknown>,
  asked: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const question = JSON.parse(await text(asked)) as Question
  const reply = { jsonrpc: '2.0', id: question.id }
  response.setHeader('content-type', 'application/json')
  try {
    response.end(JSON.stringify({ ...reply, result: await answer(question) }))
  } catch (error) {
    // Ponder slows down after a 429, and divides a range that the node says is too wide.
    if (error instanceof HttpRequestError) response.statusCode = error.status ?? BAD_GATEWAY
    response.end(JSON.stringify({ ...reply, error: rpcErrorOf(error) }))
  }
}

function rpcErrorOf(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof RpcRequestError) return { code: error.code, message: error.details, data: error.data }
  return { code: INTERNAL_ERROR, message: error instanceof Error ? error.name : 'unknown' }
}

function openAnswers(ask: AskNode, listener: RelayListener): (question: Question) => Promise<unknown> {
  const known = new Map<Hex, Promise<BlockLogs>>()
  const blockLogs = (hash: Hex): Promise<BlockLogs> => {
    const found = known.get(hash) ?? readBlockLogs(ask, hash)
    if (known.has(hash)) return found
    for (const [oldest] of known) if (known.size >= KEPT_BLOCKS) known.delete(oldest)
    known.set(hash, found)
    // An incomplete answer is requested again.
    const forget = () => known.delete(hash)
    found.then(({ number, isShort, isWhole }) => {
      if (number === undefined || !isWhole) forget()
      const fault = { blockNumber: number ?? 0n, blockHash: hash }
      if (!isWhole) listener.onMissing(fault)
      else if (isShort) listener.onShort(fault)
    }, forget)
    return found
  }
  return async ({ method, params }) => {
    if (method !== 'eth_getLogs') return ask(method, params)
    const [filter = {}] = params as [LogFilter?]
    if (filter.blockHash === undefined) return eachOnce((await ask(method, params)) as RawLog[])
    return (await blockLogs(filter.blockHash)).logs.filter((log) => matches(filter, log))
  }
}

function matches({ address, topics = [] }: LogFilter, log: RawLog): boolean {
  const isOneOf = (wanted: Hex | Hex[] | null | undefined, value: Hex | undefined) =>
    wanted === null ||
    wanted === undefined ||
    [wanted].flat().some((each) => each.toLowerCase() === value?.toLowerCase())
  return isOneOf(address, log.address) && topics.every((wanted, place) => isOneOf(wanted, log.topics[place]))
}
