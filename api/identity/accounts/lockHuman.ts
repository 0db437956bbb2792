import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Locks a human's row against erasure until the transaction ends. The lock is shared; erasure waits for every holder
 * and then sees their changes. Throws the error that `erased` makes if the human was erased.
 */
export async function lockHuman(tx: Tx, humanId: string, erased: () => Error): Promise<void> {
  const { rows } = await sql`
    select from market.humans where id = ${humanId} and erased_at is null for key share`.execute(tx)
  if (rows.length === 0) throw erased()
}

/** Does the same for the human who owns an agent. */
export async function lockOwner(tx: Tx, agentId: string, erased: () => Error): Promise<void> {
  const { rows } = await sql`
    select from market.humans human join market.agents agent on agent.owner_id = human.id
    where agent.id = ${agentId} and human.erased_at is null for key share of human`.execute(tx)
  if (rows.length === 0) throw erased()
}
