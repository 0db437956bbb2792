import { sql } from 'kysely'
import type { ChainSettings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { AccountKind, OwnerType } from './generated/accountKinds.ts'

/** Returns the ledger's name of the payment token: CAIP-2 chain, then the token's address in lowercase. */
export function assetKey(chain: ChainSettings): string {
  return `eip155:${chain.chainId}/${chain.token.toLowerCase()}`
}

/** The owner of an account: one of our UUIDs, a contract's id or address, an event's key, or the service. */
export interface Owner {
  type: OwnerType
  id: string
}

/** Returns the owner as one string, for documents and findings, as `ledger.owner_name` does. */
export function ownerName({ type, id }: Owner): string {
  return type === 'human' || type === 'order' || type === 'payout' || type === 'dispute' ? `market:${type}:${id}` : id
}

/** One side of a transfer. A positive amount credits the account, a negative one debits it; micro-units. */
export interface Leg {
  kind: AccountKind
  owner: Owner
  amountMicros: bigint
}

/**
 * A balanced transfer. Its key makes it idempotent; its evidence names the chain event or market action that
 * caused it.
 */
export interface Posting {
  key: string
  kind: string
  orderId: string | null
  asset: string
  evidence: Record<string, unknown>
  legs: readonly Leg[]
}

/**
 * Posts transfers in order by `ledger.post_transfers` (docs/ledger.md). Drops legs of zero and merges legs on
 * the same account. Returns for each whether it was posted now: false if the same transfer was already posted
 * under its key. Throws, and posts nothing, if one does not balance, would overdraw a liability, or reuses
 * the key of a different transfer.
 */
export async function postAll(tx: Tx, postings: readonly Posting[]): Promise<boolean[]> {
  const { rows } = await sql<{ posted: boolean[] }>`
    select ledger.post_transfers(${JSON.stringify(postings.map(toTransfer))}::jsonb) as posted`.execute(tx)
  return rows[0]?.posted ?? []
}

/** Posts one transfer, as `postAll` does. Returns whether it was posted now. */
export async function post(tx: Tx, posting: Posting): Promise<boolean> {
  const [posted = false] = await postAll(tx, [posting])
  return posted
}

function toTransfer({ key, kind, orderId, asset, evidence, legs }: Posting) {
  const moving = legs.filter(({ amountMicros }) => amountMicros !== 0n)
  return { key, kind, order_id: orderId, asset, evidence, legs: moving.map(toLeg) }
}

function toLeg({ kind, owner, amountMicros }: Leg) {
  return { kind, owner_type: owner.type, owner_id: owner.id, amount: amountMicros.toString() }
}
