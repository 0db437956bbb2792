import { gatherable } from '../db/gather.ts'
import type { Tx } from '../db/pool.ts'
import { unreadStatement } from '../db/statement.ts'

const insertPosting = unreadStatement(`
  insert into ledger.posting (key, kind, order_id, evidence, asset, leg_kinds, owners, amounts)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`)
const insertPostings = unreadStatement(`
  insert into ledger.postings (keys, kinds, order_ids, evidence, assets, transfers, leg_kinds, owners, amounts)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`)

const SURROGATE = /[\ud800-\udfff]/

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
 * Posts a transfer, before the transaction's next statement; nothing changes when its key was posted before. Legs of zero
 * are left out, and those on one account are one. The transaction fails when it does not balance or would overdraw a
 * liability.
 */
export const post = gatherable(async (tx: Tx, postings: readonly Posting[]) => {
  const [only] = postings
  if (only && postings.length === 1) await insertPosting(tx, postingRow(only))
  else await insertPostings(tx, postingColumns(postings))
})

/** A posting as a row of `ledger.posting`: five columns of its transfer, then three of its legs, in their accounts' order. */
function postingRow({ key, kind, orderId, asset, evidence, legs }: Posting): unknown[] {
  const sides = inOrder(legs)
  return [
    ...[key, kind, orderId, JSON.stringify(evidence), asset],
    sides.map((leg) => leg.kind),
    sides.map(({ owner }) => owner),
    sides.map(({ amountMicros }) => amountMicros.toString()),
  ]
}

/** Postings as a row of `ledger.postings`: five columns of transfers, then four of their legs. */
function postingColumns(postings: readonly Posting[]): unknown[][] {
  const legs = postings.flatMap(({ legs }, index) => inOrder(legs).map((leg) => ({ ...leg, transfer: index + 1 })))
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

/** The legs that move something, one an account, in the order in which accounts are locked. */
function inOrder(legs: readonly Leg[]): readonly Leg[] {
  const moving = legs.filter(({ amountMicros }) => amountMicros !== 0n)
  if (moving.every((leg, index) => index === 0 || byAccount(moving[index - 1] as Leg, leg) < 0)) return moving
  return moving.sort(byAccount).reduce<Leg[]>((merged, leg) => {
    const last = merged.at(-1)
    if (!last || byAccount(last, leg) !== 0) merged.push(leg)
    else merged[merged.length - 1] = { ...leg, amountMicros: last.amountMicros + leg.amountMicros }
    return merged
  }, [])
}

function byAccount(one: Leg, other: Leg): number {
  return compare(one.owner, other.owner) || compare(one.kind, other.kind)
}

/** As Postgres compares by "C": by bytes. */
function compare(one: string, other: string): number {
  if (one === other) return 0
  // UTF-16 has the same order, but for characters that it writes as two.
  if (!SURROGATE.test(one) && !SURROGATE.test(other)) return one < other ? -1 : 1
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
