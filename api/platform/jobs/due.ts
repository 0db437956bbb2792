import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { forEach } from './each.ts'
import type { JobServices } from './services.ts'

const AT_A_TIME = 100
// The number of concurrent transactions: each spends most of its time waiting for the disk.
const LANES = 4

/** Finds at most `limit` rows that are due, except the named ones. */
export type FindDue = (passedOver: readonly string[], limit: number) => Promise<{ id: string }[]>

/**
 * Acts on every row that is due, however many, each in its own transaction. A row that fails, or that the
 * action leaves alone (false), is not tried again in the same run.
 */
export async function actOnDue(
  services: JobServices,
  what: string,
  find: FindDue,
  act: (tx: Tx, id: string) => Promise<boolean>,
): Promise<void> {
  const passedOver: string[] = []
  for (;;) {
    const found = await find(passedOver, AT_A_TIME)
    if (found.length === 0) return
    const one = async ({ id }: { id: string }) => {
      if (!(await inTransaction(services.db, 'read write', (tx) => act(tx, id)))) passedOver.push(id)
    }
    const failed = await forEach(services, what, found, one, LANES)
    passedOver.push(...failed.map(({ id }) => id))
  }
}
