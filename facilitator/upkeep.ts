import type { Fees } from './fees.ts'
import { isOutbid } from './fees.ts'
import type { Head } from './head.ts'
import type { Live, NonceCounts } from './sequence.ts'
import { feesOf } from './transaction.ts'

// Heads are counted as they are first seen, not by their numbers: a node that answers late has had a transaction for less.
/** At how many heads a transaction may be found unmined before something is done about it. */
export const PATIENCE_HEADS = 3
/** At how many the next in line may be, though it pays what the node asks, before it pays more. */
const STUCK_HEADS = 9

/** What an unmined transaction needs: the same bytes again, the same call for more, or to make way for a no-op. */
export type Need = 'nothing' | 'broadcast' | 'raise' | 'cancel'

/** What is known when the unmined transactions of a key are looked after. */
export interface Situation {
  head: Head
  counts: NonceCounts
  /** Undefined while the market is above our limit. */
  fees: Fees | undefined
}

/** Whether the chain will refuse its call from the next block on. */
export function isOver(live: Pick<Live, 'validBefore'>, head: Head): boolean {
  return live.validBefore !== null && live.validBefore <= head.latest.timestamp
}

/** What is to be done about an unmined transaction at a new head. */
export function needOf(live: Live, { head, counts, fees }: Situation): Need {
  if (isOver(live, head)) return 'cancel'
  if (live.headsWaited === undefined) return 'broadcast'
  if (live.headsWaited < PATIENCE_HEADS) return 'nothing'
  // Asked first: nodes may leave out of their count what does not pay for the next block.
  if (fees && isOutbid(feesOf(live), fees, head)) return 'raise'
  // Below this count the node holds something under each nonce: it has not lost it.
  if (live.nonce >= counts.pending) return 'broadcast'
  return live.nonce === counts.mined && live.headsWaited >= STUCK_HEADS ? 'raise' : 'nothing'
}
