import {
  type Address,
  decodeEventLog,
  getAddress,
  type Hex,
  type Log,
  type PublicClient,
  pad,
  type TransactionReceipt,
} from 'viem'
import { escrowAbi } from '../protocol/generated/escrow.ts'
import { tokenAbi } from '../protocol/generated/token.ts'
import { askAll } from '../protocol/rpc/askAll.ts'
import { readLogs } from '../protocol/rpc/logs.ts'
import { AUTHORIZATION_USED, TRANSFER } from '../protocol/rpc/topics.ts'

/** The addresses and blocks to audit. Everything else is read from the chain. */
export interface AuditTarget {
  /** The chain's id. If the escrow reports its own, that one is used. */
  chainId: number
  escrow: Address
  hotWallet: Address
  token: Address
  fromBlock: bigint
  toBlock: bigint
}

/** The place of a log on the chain. */
export interface LogPlace {
  txHash: Hex
  blockNumber: bigint
  logIndex: number
}

/**
 * A token transfer into or out of one of our addresses, with the nonce of the authorization it used, if any.
 */
export interface Transfer extends LogPlace {
  from: Address
  to: Address
  amountMicros: bigint
  /**
   * Set when AuthorizationUsed(from, nonce) directly precedes the transfer: the evidence of a signed payment.
   */
  authorizationNonce: Hex | null
}

type Decoded = ReturnType<typeof decodeEventLog<typeof escrowAbi>>

/** One event of the escrow contract, decoded. */
export type EscrowEvent = Decoded & LogPlace

/** All events and transfers of the escrow and the hot wallet in the audited blocks, in chain order. */
export interface History {
  escrowEvents: EscrowEvent[]
  transfers: Transfer[]
}

/** Reads the whole history of the target from the node alone. */
export async function readHistory(client: PublicClient, target: AuditTarget): Promise<History> {
  const range = { fromBlock: target.fromBlock, toBlock: target.toBlock }
  const ours = [pad(target.escrow), pad(target.hotWallet)]
  const [events, inflows, outflows] = await Promise.all([
    readLogs(client, { ...range, address: target.escrow, topics: [] }),
    readLogs(client, { ...range, address: target.token, topics: [TRANSFER, null, ours] }),
    readLogs(client, { ...range, address: target.token, topics: [TRANSFER, ours] }),
  ])
  const unique = new Map([...inflows, ...outflows].map((log) => [`${log.blockNumber}:${log.logIndex}`, log]))
  const authorizations = await readAuthorizations(client, target, [...unique.values()])
  return {
    escrowEvents: events.map(decodeEscrowEvent).sort(byPlace),
    transfers: [...unique.values()]
      .map((log) => toTransfer(log, authorizations))
      // Anyone can make the token log a transfer of zero out of any account.
      .filter(({ amountMicros }) => amountMicros > 0n)
      .sort(byPlace),
  }
}

/** Chain order. */
function byPlace(one: LogPlace, other: LogPlace): number {
  return one.blockNumber === other.blockNumber
    ? one.logIndex - other.logIndex
    : Number(one.blockNumber - other.blockNumber)
}

function placeOf(log: Log): LogPlace {
  if (log.transactionHash === null || log.blockNumber === null || log.logIndex === null) {
    throw new Error('the node answered a log that is not in a block')
  }
  return { txHash: log.transactionHash, blockNumber: log.blockNumber, logIndex: log.logIndex }
}

function decodeEscrowEvent(log: Log): EscrowEvent {
  return { ...decodeEventLog({ abi: escrowAbi, data: log.data, topics: log.topics }), ...placeOf(log) }
}

interface Authorization {
  authorizer: Address
  nonce: Hex
}

/**
 * Returns the authorizations that the token used in these transfers' transactions, by the log position just
 * after each.
 */
async function readAuthorizations(client: PublicClient, target: AuditTarget, transfers: Log[]) {
  const hashes = [...new Set(transfers.map((log) => placeOf(log).txHash))]
  const used = await askAll(hashes, async (hash) => usedIn(target, await client.getTransactionReceipt({ hash })))
  return new Map(used.flat())
}

function usedIn({ token }: AuditTarget, { logs }: TransactionReceipt): [place: string, Authorization][] {
  return logs
    .filter((log) => getAddress(log.address) === getAddress(token) && log.topics[0] === AUTHORIZATION_USED)
    .map(({ blockNumber, logIndex, data, topics }) => {
      const { args } = decodeEventLog({ abi: tokenAbi, eventName: 'AuthorizationUsed', data, topics })
      return [`${blockNumber}:${logIndex + 1}`, args]
    })
}

function toTransfer(log: Log, authorizations: Map<string, Authorization>): Transfer {
  const place = placeOf(log)
  const { args } = decodeEventLog({ abi: tokenAbi, eventName: 'Transfer', data: log.data, topics: log.topics })
  const authorization = authorizations.get(`${place.blockNumber}:${place.logIndex}`)
  return {
    ...place,
    from: args.from,
    to: args.to,
    amountMicros: args.value,
    authorizationNonce: authorization?.authorizer === args.from ? authorization.nonce : null,
  }
}
