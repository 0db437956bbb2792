import type { Progress } from './progress.ts'
import type { JobServices } from './services.ts'

/** More blocks than anything that works is ever behind. The index cannot follow a reorganisation that is as deep. */
const TOLERATED_BLOCKS = 30n

/**
 * Raises an alarm when a node or the index has stopped following the chain: what they do not show is not acted on, and
 * nothing else says so. `indexed` is undefined while the index is being built, which takes its time.
 */
export function watchLag(
  { log }: JobServices,
  progress: Progress,
  { heads, indexed }: { heads: readonly bigint[]; indexed: bigint | undefined },
): void {
  const newest = BigInt(Math.max(...[...heads, indexed ?? 0n].map(Number)))
  const behind = (block: bigint) => newest - block > TOLERATED_BLOCKS
  const late = [
    ...heads.map((block, node) => ({ what: node === 0 ? 'RPC_URL' : 'RPC_VERIFY_URL', block })),
    ...(indexed === undefined ? [] : [{ what: 'the index', block: indexed }]),
  ].filter(({ block }) => behind(block))
  for (const { what, block } of late) {
    if (!progress.shouldAlarm(`late:${what}`)) continue
    log.error({ alarm: true, what, block: block.toString(), newest: newest.toString() }, 'does not follow the chain')
  }
}
