import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'

const insertPostings = statement<{ posted: boolean[] }>(`
  select ledger.post_all($1::text[], $2::text[], $3::uuid[], $4::jsonb[], $5::text[],
    $6::integer[], $7::text[], $8::text[], $9::bigint[]) as posted`)

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
  const [posted] = await postAll(tx, [posting])
  return posted === true
}

/**
 * Posts transfers in one statement, as if one after the other: for each, false when its key was posted before. Throws as
 * `post` does, and then none is posted.
 */
export async function postAll(tx: Tx, postings: readonly Posting[]): Promise<boolean[]> {
  const [row] = await insertPostings(tx, postingColumns(postings))
  return row?.posted ?? []
}

/** Postings as the arguments of `ledger.post_all`: five columns of transfers, then four of their legs. */
export function postingColumns(postings: readonly Posting[]): unknown[][] {
  const legs = postings.flatMap((posting, index) =>
    posting.legs.filter(({ amountMicros }) => amountMicros !== 0n).map((leg) => ({ ...leg, transfer: index + 1 })),
  )
  return [
    postings.map(({ key }) => key),
    postings.map(({ kind }) => kind),
    postings.map(({ orderId }) => orderId),
    postings.map(({ evidence }) => JSON.stringify(evidence)),
    postings.map(({ asset }) => asset),
    legs.map(({ transfer }) => transfer),
    legs.map(({ kind }) => kind),
    legs.map(({ owner }) => owner),
    legs.map(({ amountMicros }) => amountMicros.toString()),
  ]
}
