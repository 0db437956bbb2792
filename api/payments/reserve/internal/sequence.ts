import { sweepNonce } from '../../../../protocol/payments/nonces.ts'
import type { ChainSettings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/**
 * How many numbers past the newest recorded sweep are tried: more sweeps than an earlier copy of the database
 * can lack.
 */
const LOOK_AHEAD = 1_000n

/** Returns the newest sweep's number; 0 before the first. */
export async function newestSequence(tx: Tx): Promise<bigint> {
  const newest = await tx
    .selectFrom('market.sweeps')
    .select('sequence')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.sequence ?? 0n
}

/**
 * Returns the number of the sweep with this nonce, on file or not. Undefined for a nonce that no sweep can
 * have yet.
 */
export async function sequenceOf(tx: Tx, chain: ChainSettings, nonce: string): Promise<bigint | undefined> {
  // Read before: a sweep that another worker requests after this is on file below, or among the numbers that
  // are tried.
  const newest = await newestSequence(tx)
  const known = await tx.selectFrom('market.sweeps').select('sequence').where('nonce', '=', nonce).executeTakeFirst()
  if (known) return known.sequence
  for (let sequence = newest + 1n; sequence <= newest + LOOK_AHEAD; sequence++) {
    if (sweepNonce(chain, sequence) === nonce) return sequence
  }
  return undefined
}
