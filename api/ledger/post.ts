import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'

/** Assets (what a contract or wallet of ours holds), then liabilities and revenue. */
export type AccountKind =
  | 'escrow_contract'
  | 'hot_wallet'
  | 'cold_wallet'
  | 'hold'
  | 'claimable'
  | 'payable'
  | 'in_transit'
  | 'fees'
  | 'suspense'
  | 'loss'

/** One side of a transfer. A positive amount credits the account, a negative one debits it; micro-units. */
export interface Leg {
  kind: AccountKind
  owner: string
  amountMicros: bigint
}

/** A balanced transfer. Its key makes it happen once; its evidence says what on chain or in the market caused it. */
export interface Posting {
  key: string
  kind: string
  orderId: string | null
  asset: string
  evidence: Record<string, unknown>
  legs: readonly Leg[]
}

/**
 * Posts a transfer. False when its key was posted before, and then nothing changes. Legs of zero are left out.
 * Throws when it does not balance (at commit) or would overdraw a liability.
 */
export async function post(tx: Tx, posting: Posting): Promise<boolean> {
  const legs = posting.legs.filter((leg) => leg.amountMicros !== 0n)
  const { rows } = await sql<{ posted: boolean }>`
    select ledger.post(
      ${posting.key}, ${posting.kind}, ${posting.orderId}, ${JSON.stringify(posting.evidence)}::jsonb, ${posting.asset},
      ${legs.map((leg) => leg.kind)}::text[], ${legs.map((leg) => leg.owner)}::text[],
      ${legs.map((leg) => leg.amountMicros.toString())}::bigint[]
    ) as posted`.execute(tx)
  return rows[0]?.posted === true
}
