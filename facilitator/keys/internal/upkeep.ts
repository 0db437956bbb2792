import type { Fees } from '../../chain/fees.ts'
import { isOutbid } from '../../chain/fees.ts'
import type { Head } from '../../chain/head.ts'
import { feesOf } from '../transaction.ts'
import type { Live, NonceCounts } from './sequence.ts'

// Heads are counted when first seen, not by number: a node that answers late has had a transaction for less
// time.
/** After this many heads, an unmined transaction may be broadcast again or replaced. */
export const PATIENCE_HEADS = 3
/**
 * After this many heads, the next unmined transaction is replaced at a higher fee, even if it pays the market
 * price.
 */
const STUCK_HEADS = 9

/**
 * What an unmined transaction needs: a repeated broadcast, a replacement at a higher fee, or a no-op in its
 * place.
 */
export type Need = 'nothing' | 'broadcast' | 'raise' | 'cancel'

/** What is known about a key's unmined transactions at a head. */
export interface Situation {
  head: Head
  counts: NonceCounts
  /** Undefined while the market is above our limit. */
  fees: Fees | undefined
}

/** Returns whether the chain will refuse its call from the next block on. */
export function isOver(live: Pick<Live, 'validBefore'>, head: Head): boolean {
  return live.validBefore !== null && live.validBefore <= head.latest.timestamp
}

/** Returns what an unmined transaction needs at a new head. */
export function needOf(live: Live, { head, counts, fees }: Situation): Need {
  if (isOver(live, head)) return 'cancel'
  if (live.headsWaited === undefined) return 'broadcast'
  if (live.headsWaited < PATIENCE_HEADS) return 'nothing'
  // Checked first: nodes may not count a transaction that does not pay for the next block.
  if (fees && isOutbid(feesOf(live), fees, head)) return 'raise'
  // Below this count the node holds a transaction under each nonce, so it has not lost it.
  if (live.nonce >= counts.pending) return 'broadcast'
  return live.nonce === counts.mined && live.headsWaited >= STUCK_HEADS ? 'raise' : 'nothing'
}
