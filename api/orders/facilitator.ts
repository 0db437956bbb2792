import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'

const ALIVE_SECONDS = 10

/**
 * Throws facilitator/unavailable (503) when nobody could bring a payment to the chain: asked before a 402 is offered,
 * because a payer who has signed may sign a second time when told to retry.
 */
export async function requireFacilitator(tx: Tx): Promise<void> {
  const { rows } = await sql<{ alive: boolean }>`
    select beat_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS}) as alive
    from facilitator.heartbeat`.execute(tx)
  if (rows[0]?.alive) return
  throw new Problem('facilitator/unavailable', {
    detail: 'The facilitator that submits payments is not running. Nothing was changed: try again later.',
  })
}
