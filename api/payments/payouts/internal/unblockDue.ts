import { inTransaction } from '../../../platform/db/transaction.ts'
import { forEach } from '../../../platform/jobs/each.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { HAS_WALLET, unblockPayouts } from '../unblock.ts'

/** Unblocks the payouts whose first wallet had to wait, once it is in use. */
export async function unblockDuePayouts(services: JobServices): Promise<void> {
  const { db } = services
  const owners = await db
    .selectFrom('market.payouts')
    .select('human_id')
    .distinct()
    .where('state', '=', 'blocked')
    .where(HAS_WALLET)
    .execute()
  await forEach(services, 'owner of blocked payouts', owners, async ({ human_id: ownerId }) => {
    if (ownerId !== null) await inTransaction(db, 'read write', (tx) => unblockPayouts(tx, ownerId, ownerId))
  })
}
