import { type Address, type Hex, type PublicClient, pad } from 'viem'
import { findNewestLog, type MinedLog } from './logs.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED } from './topics.ts'

/** Blocks that are looked through again with the next: more than a chain goes back by itself. */
const OVERLAP_BLOCKS = 300n
/** Searches in vain that are remembered, of each node. What is forgotten is searched from the beginning again. */
const MAX_REMEMBERED = 1_000

/** An authorization as the token names it: it takes each pair once. The nonce in lower case. */
export interface AuthorizationName {
  from: Address
  nonce: Hex
}

/** The token, and the first block that may hold anything of ours. */
export interface TokenHistory {
  token: Address
  startBlock: bigint
}

/** A search that found nothing. */
interface InVain {
  looks: number
  toBlock: bigint
}

const searches = new WeakMap<PublicClient, Map<string, InVain>>()

/**
 * The newest event with which the token spent an authorization, by a payment or a cancellation, up to a block; undefined
 * where the node shows none. Who looks in vain looks again, at each pass, so that the next look goes through what is new
 * alone. But each power of two goes through all: a node may come to have what it left out. Throws what the RPC throws.
 */
export async function findUseLog(
  client: PublicClient,
  { token, startBlock }: TokenHistory,
  { from, nonce }: AuthorizationName,
  toBlock: bigint,
): Promise<MinedLog | undefined> {
  const inVain = searches.get(client) ?? new Map<string, InVain>()
  searches.set(client, inVain)
  const key = [token, from, nonce, startBlock].join().toLowerCase()
  const former = inVain.get(key)
  const looks = (former?.looks ?? 0) + 1
  const nextBlock =
    former && looks !== 2 ** Math.floor(Math.log2(looks)) && former.toBlock <= toBlock
      ? former.toBlock - OVERLAP_BLOCKS
      : startBlock
  const topics = [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], pad(from), nonce]
  const fromBlock = nextBlock > startBlock ? nextBlock : startBlock
  const found = await findNewestLog(client, { address: token, topics, fromBlock, toBlock })
  inVain.delete(key)
  if (!found) inVain.set(key, { looks, toBlock })
  if (inVain.size > MAX_REMEMBERED) inVain.delete(inVain.keys().next().value ?? key)
  return found
}
