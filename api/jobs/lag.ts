import { type BlockPlace, NAMES } from './head.ts'
import type { Progress } from './progress.ts'
import type { JobServices } from './services.ts'

/** Further than anything that works is behind for long, in both: a chain may be fast, and a test's clock may jump. */
const TOLERATED = { blocks: 30n, seconds: 60n }

/**
 * Raises an alarm when a node or the index has stopped following the chain: what they do not show is not acted on, and
 * nothing else says so. `indexed` is undefined while the index is being built, which takes its time. Then it stands at the
 * newest block that its Ponder takes for final, until it follows: so whoever is late is given a while.
 */
export function watchLag(
  { log }: JobServices,
  progress: Progress,
  { heads, indexed }: { heads: readonly BlockPlace[]; indexed: BlockPlace | undefined },
): void {
  const followers = [
    ...heads.map((place, node) => ({ what: NAMES[node], place })),
    ...(indexed === undefined ? [] : [{ what: 'the index', place: indexed }]),
  ]
  const newest = followers.map(({ place }) => place).reduce((one, other) => (other.number > one.number ? other : one))
  for (const { what, place } of followers) {
    const isLate =
      newest.number - place.number > TOLERATED.blocks && newest.timestamp - place.timestamp > TOLERATED.seconds
    if (!progress.isLateForLong(String(what), isLate) || !progress.shouldAlarm(`late:${what}`)) continue
    const about = { alarm: true, what, block: place.number.toString(), newest: newest.number.toString() }
    log.error(about, 'does not follow the chain')
  }
}
