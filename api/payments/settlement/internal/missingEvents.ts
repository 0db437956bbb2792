import { loggedPlaces } from '../../../../protocol/rpc/indexedLogs.ts'
import type { IndexedServices } from '../../../platform/jobs/services.ts'
import { readIndexedPlaces } from '../../chain/indexRows.ts'
import { nodesOf } from '../../chain/nodes.ts'
import type { Pass, Progress } from '../../chain/progress.ts'

/** How many of the newest confirmed blocks each sweep compares: checkpoints compare the blocks below. */
const COMPARED_BLOCKS = 256n
/** The most blocks that an alarm names. */
const MOST_NAMED = 20
const WHAT = 'the index lacks events that the nodes log'

/**
 * Raises an alarm that names the blocks of which the index lacks an event that a node logs, at two sweeps in
 * a row: the index removes rows for a moment and rewrites them. Throws any error of a node or the index.
 */
export async function watchMissing(services: IndexedServices, progress: Progress, pass: Pass): Promise<void> {
  const { chain } = services.settings
  const lowest = pass.to - COMPARED_BLOCKS + 1n
  const range = { from: lowest < chain.startBlock ? chain.startBlock : lowest, to: pass.to }
  const indexed = await readIndexedPlaces(services, range)
  if (!indexed?.isWhole) return
  const to = indexed.to
  const logged = await Promise.all(nodesOf(services).map((node) => loggedPlaces(node, chain, { ...range, to })))
  const missing = logged.flatMap((places) => [...places].filter(([place]) => !indexed.places.has(place)))
  const lasting = missing.filter(([place]) => progress.isLasting(`missing ${place}`, pass))
  alarmMissing(services, progress, lasting)
}

/** Raises the alarm about events that the index lacks, once a minute. */
export function alarmMissing(
  { log }: Pick<IndexedServices, 'log'>,
  progress: Progress,
  missing: readonly (readonly [place: string, block: bigint])[],
): void {
  if (missing.length === 0 || !progress.shouldAlarm(WHAT)) return
  const blocks = [...new Set(missing.map(([, block]) => `${block}`))].slice(0, MOST_NAMED)
  log.error({ alarm: true, blocks }, WHAT)
}
