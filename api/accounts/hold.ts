import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'

const selectHeld = statement('select from market.humans where id = $1 and erased_at is null for key share')

/**
 * Holds a human's row against erasure until the transaction ends. False when they were erased: nothing may be written for
 * them any more. Others hold the row at the same time; erasure waits for all of them, and then sees what they did.
 */
export async function holdHuman(tx: Tx, humanId: string): Promise<boolean> {
  return (await selectHeld(tx, [humanId])).length > 0
}

/** The same for the human who owns an agent. */
export async function holdOwner(tx: Tx, agentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from market.humans human join market.agents agent on agent.owner_id = human.id
    where agent.id = ${agentId} and human.erased_at is null for key share of human`.execute(tx)
  return rows.length > 0
}
