import { MAX_AHEAD_SECONDS } from '../../chain/head.ts'
import type { DaySum } from '../../file/firstSights.ts'
import type { Distribution } from '../distribution.ts'
import type { Sighting } from './sighting.ts'

const DAY_SECONDS = 86_400n
/** Amounts up to this have a share of the day's sum that larger ones cannot use. */
const SMALL_MICROS = 20_000_000n
/** One payer, and one seller, can use a fifth of the day's sum; another fifth is kept for small amounts. */
const FIFTHS = 5n

/** Returns whether the day's sum has room for a distribution, in each direction that it moves money. */
export async function hasRoom(
  { store, head, limits }: Pick<Sighting, 'store' | 'head' | 'limits'>,
  { toPayer, toOthers, parties }: Pick<Distribution, 'toPayer' | 'toOthers' | 'parties'>,
): Promise<boolean> {
  const day = { since: head.earlierTime - DAY_SECONDS, until: head.laterTime + MAX_AHEAD_SECONDS }
  const sums = await store.firstSightSums(day, parties, SMALL_MICROS)
  const isKnown = parties.payee !== ''
  return (
    fits(sums.toPayer, toPayer, limits.unprovedDailyMicros, isKnown) &&
    fits(sums.toPayee, toOthers, limits.unprovedDailyMicros, isKnown)
  )
}

function fits({ all, large, ofPayer, ofPayee }: DaySum, micros: bigint, most: bigint, isSellerKnown: boolean): boolean {
  const fifth = most / FIFTHS
  return (
    micros === 0n ||
    (all + micros <= most &&
      ofPayer + micros <= fifth &&
      (!isSellerKnown || ofPayee + micros <= fifth) &&
      (micros <= SMALL_MICROS || large + micros <= most - fifth))
  )
}
