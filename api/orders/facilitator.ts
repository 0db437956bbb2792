import { sql } from 'kysely'
import { catchingUp } from '../chain/progress.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'

const ALIVE_SECONDS = 10

/**
 * Throws facilitator/unavailable (503) when nobody could bring a payment to the chain: asked before a 402 is offered,
 * because a payer who has signed may sign a second time when told to retry. Throws service/catching-up (503) while the
 * chain is not known.
 */
export async function requireFacilitator(tx: Tx): Promise<void> {
  const { rows } = await sql<{ alive: boolean | null; isKnown: boolean }>`
    select (select beat_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS}) from facilitator.heartbeat) as alive,
      exists (select from market.chain_progress where incarnation = market.incarnation()) as "isKnown"`.execute(tx)
  if (!rows[0]?.isKnown) throw catchingUp()
  if (rows[0]?.alive) return
  throw new Problem('facilitator/unavailable', {
    detail: 'The facilitator that submits payments is not running. Nothing was changed: try again later.',
  })
}
