import { type Address, type Hex, type PublicClient, pad, toEventSelector } from 'viem'
import { escrowEvents } from '../generated/escrowEvents.ts'
import { readLogs } from './logs.ts'
import { TRANSFER } from './topics.ts'

/** The index's tables with one row per event of a kind, with its place. */
export const INDEXED_TABLES = [
  ...['holds', 'releases', 'reclaims', 'withdrawals', 'strays_returned'],
  ...['stray_announcements', 'pauses', 'resolver_changes', 'rescues', 'token_transfers'],
] as const

const ESCROW_EVENTS = new Set<string>([
  ...['Funded', 'Released', 'Reclaimed', 'Withdrawn', 'StrayReturned'],
  ...['StrayAnnounced', 'StrayCancelled', 'Paused', 'Unpaused', 'ResolverChangeScheduled', 'Rescued'],
])
const ESCROW_TOPICS = escrowEvents.filter(({ name }) => ESCROW_EVENTS.has(name)).map((event) => toEventSelector(event))

/** A range of blocks, both ends included. */
export interface BlockRange {
  from: bigint
  to: bigint
}

/** The addresses that the index follows. */
export interface IndexedAddresses {
  escrow: Address
  token: Address
  hotWallet: Address
}

/** Returns the name of an event's place: its block's hash and its log's index. */
export function placeName(blockHash: string | null, logIndex: number | null): string {
  return `${blockHash} ${logIndex}`
}

/**
 * Returns the places of all events in these blocks that a node has and the index must have, each with its
 * block. Throws any error of the node.
 */
export async function loggedPlaces(
  client: PublicClient,
  { escrow, token, hotWallet }: IndexedAddresses,
  { from, to }: BlockRange,
): Promise<Map<string, bigint>> {
  const ours: Hex[] = [escrow, hotWallet].map((address) => pad(address).toLowerCase() as Hex)
  const range = { fromBlock: from, toBlock: to }
  const found = await Promise.all([
    readLogs(client, { address: escrow, topics: [ESCROW_TOPICS], ...range }),
    readLogs(client, { address: token, topics: [TRANSFER, null, ours], ...range }),
    readLogs(client, { address: token, topics: [TRANSFER, ours], ...range }),
  ])
  // A transfer of zero is not indexed.
  const logs = found.flat().filter(({ topics, data }) => topics[0] !== TRANSFER || BigInt(data) > 0n)
  return new Map(
    logs.map(({ blockHash, blockNumber, logIndex }) => [placeName(blockHash, logIndex), blockNumber ?? 0n] as const),
  )
}
