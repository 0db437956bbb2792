import { describeFault, isOutage } from '../faults.ts'
import type { JobServices } from './services.ts'

/**
 * Does something to each of the due, one after the other. One that fails is said to be and left for the next pass, so
 * that it holds nothing else up; when the database or the node is out of reach, the pass ends.
 */
export async function forEach<Item>(
  { log }: JobServices,
  what: string,
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (const item of items) {
    try {
      await act(item)
    } catch (error) {
      if (isOutage(error)) throw error
      log.error({ alarm: true, what, item, fault: describeFault(error) }, 'this needs to be looked at')
    }
  }
}
