import { Gauge } from '@prometheus-io/client'
import { registry } from '../../../../protocol/telemetry/metrics.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { type BlockPlace, NAMES } from '../../chain/nodes.ts'
import type { Progress } from '../../chain/progress.ts'

/**
 * A working system never stays this far behind in both measures. Both must be exceeded, because a chain may
 * be fast and a test's clock may jump.
 */
const TOLERATED = { blocks: 30n, seconds: 60n }

const behind = new Gauge({
  name: 'market_follower_lag_blocks',
  help: 'How many blocks a node or the index is behind the newest that any of them knows.',
  labelNames: ['follower'],
  registers: [registry],
})

/**
 * Raises an alarm when a node or the index has stopped following the chain: events it does not show are not
 * processed, and no other check notices that. `indexed` is undefined while the index is being built, which
 * takes time. The index then reports the newest block that Ponder considers final until it follows the head,
 * so every laggard gets a grace period.
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
    behind.set({ follower: String(what) }, Number(newest.number - place.number))
    const isLate =
      newest.number - place.number > TOLERATED.blocks && newest.timestamp - place.timestamp > TOLERATED.seconds
    if (!progress.isLateForLong(String(what), isLate) || !progress.shouldAlarm(`late:${what}`)) continue
    const about = { alarm: true, what, block: place.number.toString(), newest: newest.number.toString() }
    log.error(about, 'does not follow the chain')
  }
}
