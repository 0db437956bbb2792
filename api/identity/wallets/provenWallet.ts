import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Returns whether the owner of an agent has ever proven a wallet, for themselves or for an agent of theirs. It stays on
 * file when the wallet is removed.
 */
export async function hasProvenWallet(tx: Tx, agentId: string, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from market.wallet_owners proven join market.agents agent on agent.owner_id = proven.owner_id
    where agent.id = ${agentId} and proven.address = ${address.toLowerCase()}`.execute(tx)
  return rows.length > 0
}

/** Returns whether one owner has ever proven both wallets. */
export async function haveOneOwner(tx: Tx, one: string, other: string): Promise<boolean> {
  const { rows } = await sql`
    select from market.wallet_owners first join market.wallet_owners second on second.owner_id = first.owner_id
    where first.address = ${one.toLowerCase()} and second.address = ${other.toLowerCase()}`.execute(tx)
  return rows.length > 0
}
