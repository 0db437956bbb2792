import { describeFault, isOutage } from '../../faults.ts'
import type { JobServices } from './services.ts'

/**
 * Runs an action on each of the items, one after the other, or several at once. A failure is logged and the
 * item left for the next pass, so that it does not block others; if the database or the node is unreachable,
 * the pass ends. Returns the items that failed.
 */
export async function forEach<Item>(
  { log }: JobServices,
  what: string,
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  atOnce = 1,
): Promise<Item[]> {
  const failed: Item[] = []
  // All lanes draw from one iterator, so each item is processed once.
  const rest = items.values()
  const lane = async () => {
    for (const item of rest) {
      try {
        await act(item)
      } catch (error) {
        if (isOutage(error)) throw error
        log.error({ alarm: true, what, item, fault: describeFault(error) }, 'item failed')
        failed.push(item)
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
  return failed
}

/** Items that wait for an action. */
interface Pending<Item> {
  /** Finds waiting items, at most this many. */
  find: (limit: number) => Promise<Item[]>
  /** Acts on an item, and skips it if it no longer waits. */
  act: (item: Item) => Promise<unknown>
  atOnce: number
  lanes?: number
}

/** Runs an action on every waiting item, several at a time, until none waits or one has failed. */
export async function forEachPending<Item>(
  services: JobServices,
  what: string,
  { find, act, atOnce, lanes }: Pending<Item>,
): Promise<void> {
  for (;;) {
    const found = await find(atOnce)
    const failed = await forEach(services, what, found, act, lanes)
    if (found.length < atOnce || failed.length > 0) return
  }
}
