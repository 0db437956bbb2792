import { type Address, type Hex, type PublicClient, pad } from 'viem'
import { findNewestLog, type MinedLog } from '../rpc/logs.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED } from '../rpc/topics.ts'

/** Blocks that the next search covers again: more than a chain normally reorganises. */
const OVERLAP_BLOCKS = 300n
/** How many unsuccessful searches are remembered per node. A forgotten one restarts from the beginning. */
const MAX_REMEMBERED = 1_000

/** The token's identity of an authorization: it accepts each pair once. The nonce is in lower case. */
export interface AuthorizationKey {
  from: Address
  nonce: Hex
}

/** The token, and the first block that may contain anything of ours. */
export interface TokenHistory {
  token: Address
  startBlock: bigint
}

/** An unsuccessful search. */
interface InVain {
  looks: number
  toBlock: bigint
}

const searches = new WeakMap<PublicClient, Map<string, InVain>>()

/**
 * Returns the newest event by which the token spent an authorization, in a payment or a cancellation, up to a
 * block; undefined if the node shows none. Repeated searches cover only new blocks, except that every search
 * whose count is a power of two covers all: a node may later have what it omitted. Throws any error of the
 * RPC.
 */
export async function findUsageLog(
  client: PublicClient,
  { token, startBlock }: TokenHistory,
  { from, nonce }: AuthorizationKey,
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
