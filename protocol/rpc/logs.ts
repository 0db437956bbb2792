import {
  type Address,
  BaseError,
  type Hex,
  HttpRequestError,
  type Log,
  numberToHex,
  type PublicClient,
  TimeoutError,
} from 'viem'

/** A log query: one address, these topics, these blocks (both ends included). */
export interface LogQuery {
  address: Address
  topics: (Hex | Hex[] | null)[]
  fromBlock: bigint
  toBlock: bigint
}

/** A log in a block. */
export type MinedLog = Log<bigint, number, false>

const WIDEST_RANGE_BLOCKS = 5_000n

const TOO_MANY_REQUESTS = 429
const SERVER_FAULTS = 500

/**
 * Returns all logs of a query in chain order. Nodes limit ranges differently, so a refused range is queried
 * in halves. Throws any error of the RPC; at once if the node did not answer, since a smaller query would not
 * help.
 */
export async function readLogs(client: PublicClient, query: LogQuery): Promise<Log[]> {
  const logs: Log[] = []
  for (let start = query.fromBlock; start <= query.toBlock; start += WIDEST_RANGE_BLOCKS) {
    const end = start + WIDEST_RANGE_BLOCKS - 1n
    logs.push(
      ...(await readRange(client, { ...query, fromBlock: start, toBlock: end < query.toBlock ? end : query.toBlock })),
    )
  }
  return logs
}

async function readRange(client: PublicClient, query: LogQuery): Promise<Log[]> {
  try {
    const found = await client.request({
      method: 'eth_getLogs',
      params: [
        {
          address: query.address,
          topics: query.topics,
          fromBlock: numberToHex(query.fromBlock),
          toBlock: numberToHex(query.toBlock),
        },
      ],
    })
    return found.map((log) => ({
      ...log,
      blockNumber: log.blockNumber === null ? null : BigInt(log.blockNumber),
      logIndex: log.logIndex === null ? null : Number(log.logIndex),
      transactionIndex: log.transactionIndex === null ? null : Number(log.transactionIndex),
    })) as Log[]
  } catch (error) {
    if (query.fromBlock === query.toBlock || isUnanswered(error)) throw error
    const middle = (query.fromBlock + query.toBlock) / 2n
    return [
      ...(await readRange(client, { ...query, toBlock: middle })),
      ...(await readRange(client, { ...query, fromBlock: middle + 1n })),
    ]
  }
}

/**
 * Returns the newest matching log, or undefined. Searches backwards, since the wanted log is usually recent.
 * Throws as readLogs.
 */
export async function findNewestLog(client: PublicClient, query: LogQuery): Promise<MinedLog | undefined> {
  for (let toBlock = query.toBlock; toBlock >= query.fromBlock; toBlock -= WIDEST_RANGE_BLOCKS) {
    const start = toBlock - WIDEST_RANGE_BLOCKS + 1n
    const fromBlock = start > query.fromBlock ? start : query.fromBlock
    const log = (await readLogs(client, { ...query, fromBlock, toBlock })).at(-1)
    if (log && isMined(log)) return log
  }
  return undefined
}

/** Returns whether a log is in a block. */
export function isMined(log: Log): log is MinedLog {
  return log.transactionHash !== null && log.blockNumber !== null && log.logIndex !== null
}

/** Returns whether the node is unreachable or overloaded, rather than refusing the query. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const isAway = (cause: unknown) =>
    cause instanceof TimeoutError ||
    (cause instanceof HttpRequestError &&
      (cause.status === undefined || cause.status === TOO_MANY_REQUESTS || cause.status >= SERVER_FAULTS))
  return error.walk(isAway) !== null
}
