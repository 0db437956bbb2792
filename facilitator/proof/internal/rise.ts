import { formatAmount } from '../../../protocol/encoding/amounts.ts'
import { MAX_AHEAD_SECONDS } from '../../chain/head.ts'
import type { Sighting } from './sighting.ts'

const HOUR_SECONDS = 3_600n
const HOURS_OF_A_WEEK = 168n
/**
 * People trade at some hours more than at others: the busiest of a week of work has about four times its
 * mean.
 */
const TIMES_THE_MEAN = 5n
/** An hour below so many of the day's sums is never reported. */
const LEAST_DAY_SUMS = 2n

/**
 * Raises an alarm when a sum that was just announced lifts the last hour far above the mean of the week
 * before it: a thief of the service's login who announces the holds of others needs the delay, in which an
 * operator can stop payouts.
 */
export async function reportRise(
  { store, head, limits, log }: Pick<Sighting, 'store' | 'head' | 'limits' | 'log'>,
  micros: bigint,
): Promise<void> {
  if (micros === 0n) return
  const until = head.laterTime + MAX_AHEAD_SECONDS
  const hourBegan = head.laterTime - HOUR_SECONDS
  const hourMicros = await store.waitingMicros({ since: hourBegan, until })
  const leastMicros = LEAST_DAY_SUMS * limits.unprovedDailyMicros
  if (hourMicros <= leastMicros) return
  const weekBegan = hourBegan - HOURS_OF_A_WEEK * HOUR_SECONDS
  const meanMicros = (await store.waitingMicros({ since: weekBegan, until: hourBegan })) / HOURS_OF_A_WEEK
  const usualMicros = meanMicros * TIMES_THE_MEAN
  const mostMicros = usualMicros > leastMicros ? usualMicros : leastMicros
  // Once, when it rises above.
  if (hourMicros <= mostMicros || hourMicros - micros > mostMicros) return
  log.error(
    { alarm: true, hour: formatAmount(hourMicros), mean: formatAmount(meanMicros) },
    'far more than usual was announced without proof in an hour: stop payouts if it is wrong',
  )
}
