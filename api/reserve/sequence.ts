import { sweepNonce } from '../../protocol/nonces.ts'
import type { ChainSettings } from '../context.ts'
import type { Tx } from '../db/pool.ts'

/** How far ahead of what is on file a number is looked for: more sweeps than an earlier copy of the database can lack. */
const LOOK_AHEAD = 1_000n

/** The newest sweep's number; 0 before the first. */
export async function newestSequence(tx: Tx): Promise<bigint> {
  const newest = await tx
    .selectFrom('market.sweeps')
    .select('sequence')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.sequence ?? 0n
}

/** The number of the sweep that a nonce is of, on file or not. Undefined for a nonce that no sweep can have yet. */
export async function sequenceOf(tx: Tx, chain: ChainSettings, nonce: string): Promise<bigint | undefined> {
  const known = await tx.selectFrom('market.sweeps').select('sequence').where('nonce', '=', nonce).executeTakeFirst()
  if (known) return known.sequence
  const newest = await newestSequence(tx)
  for (let sequence = newest + 1n; sequence <= newest + LOOK_AHEAD; sequence++) {
    if (sweepNonce(chain, sequence) === nonce) return sequence
  }
  return undefined
}
