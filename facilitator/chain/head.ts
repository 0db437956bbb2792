import type { Block, ChainContext } from '../context/chain.ts'

/** How far the newest block may be ahead of the database's clock. */
export const MAX_AHEAD_SECONDS = 120n
/** Behind the database's clock by more than this, nothing is signed and no time is recorded. */
const MAX_BEHIND_SECONDS = 900n

/**
 * Two blocks: the newest, and the newest whose state counts as final. Neither the node nor the database can
 * begin a duration of ours in the past, or end it early, by a wrong clock: it begins at the later of both
 * clocks, and is over when both are past its end.
 */
export interface Head {
  latest: Block & { baseFeePerGas: bigint }
  confirmed: Block
  /** The later of the newest block's time and the database's time: our durations begin here. */
  laterTime: bigint
  /**
   * The earlier of the confirmed block's time and the database's time: our durations that end by here are
   * over.
   */
  earlierTime: bigint
  /** Whether the newest block is so old that no time may be recorded. */
  isBehind: boolean
}

/**
 * The node serves another chain than before, which can happen with several nodes behind one address: its
 * answers are not about ours.
 */
export class OtherChain extends Error {}

/**
 * The time of a block is not believed: it is ahead of the database's clock, or the two nodes disagree on it.
 */
export class HeadRefused extends Error {}

/** What a head is read from: the node, the node that vouches for it, and the database's clock. */
export type HeadSource = Pick<ChainContext, 'client' | 'at' | 'confirmations' | 'witness'> & {
  store: { marketTime: () => Promise<bigint> }
}

/**
 * Returns our chain's head. An unchanged block is read once, but the database's time always: while the chain
 * stands still, no duration begins at the time at which its last block was first seen. State at a head is
 * read by its block hash (EIP-1898), so that only a node with that block can answer. Throws OtherChain,
 * HeadRefused, and any error of the RPC and the database.
 */
export async function readHead(source: HeadSource, known?: Head): Promise<Head> {
  const { client, witness, store } = source
  const latest = await client.getBlock({ blockTag: 'latest' })
  if (latest.hash === known?.latest.hash) return { ...known, ...timesOf(known, await store.marketTime()) }
  const { confirmed, now } = await readConfirmed(source, latest.number)
  const aheadSeconds = later(latest.timestamp, confirmed.timestamp) - now
  if (aheadSeconds > MAX_AHEAD_SECONDS) {
    throw new HeadRefused(`the newest block is ${aheadSeconds} s ahead of the database: set the clock that is wrong`)
  }
  await witness?.vouch([latest, confirmed])
  const blocks = { latest: { ...latest, baseFeePerGas: latest.baseFeePerGas ?? 0n }, confirmed }
  return { ...blocks, ...timesOf(blocks, now) }
}

async function readConfirmed({ client, at: { chainId }, confirmations, store }: HeadSource, latest: bigint) {
  const depth = BigInt(confirmations)
  const [confirmed, served, now] = await Promise.all([
    client.getBlock({ blockNumber: latest > depth ? latest - depth : 0n }),
    client.getChainId(),
    store.marketTime(),
  ])
  if (served !== chainId) throw new OtherChain(`RPC_URL serves chain ${served} now, and CHAIN_ID is ${chainId}`)
  return { confirmed, now }
}

function timesOf({ latest, confirmed }: Pick<Head, 'latest' | 'confirmed'>, now: bigint) {
  return {
    laterTime: later(latest.timestamp, now),
    earlierTime: earlier(confirmed.timestamp, now),
    isBehind: now - latest.timestamp > MAX_BEHIND_SECONDS,
  }
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

/** Returns the earlier of two times. */
export function earlier(one: bigint, other: bigint): bigint {
  return one > other ? other : one
}
