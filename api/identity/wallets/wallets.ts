import { type RawBuilder, type Selectable, sql } from 'kysely'
import { getAddress } from 'viem'
import { urn } from '../../../protocol/encoding/urn.ts'
import type { Actor } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * A bound wallet: whether it is the payout wallet of its account now, and the time since or from which it is.
 */
export type WalletRow = Omit<Selectable<Database['market.wallets']>, 'message' | 'signature' | 'handover'> & {
  is_payout: boolean
}

// An agent sees its own wallets; a human sees theirs and their agents'.
const visibleTo = ({ agentId, humanId }: Actor): RawBuilder<boolean> =>
  agentId ? sql`wallet.account_id = ${agentId}` : sql`wallet.owner_id = ${humanId}`

// A replaced payout wallet is no longer paid to, whatever its own date.
const selected = sql`select wallet.id, wallet.account_id, wallet.owner_id, wallet.address, wallet.verified_at,
    greatest(standing.payout_from, case when standing.payout_from is not null then wallet.verified_at end) as payout_from,
    coalesce(standing.payout_from <= market.now(), false) as is_payout
  from market.wallets wallet
  left join lateral (select wallet.payout_from where not exists (
    select from market.wallets other
    where other.account_id = wallet.account_id
      and other.payout_from > wallet.payout_from and other.payout_from <= market.now())) standing on true`

/** Returns one wallet of the caller. Throws 404 for any other. */
export async function findWallet(tx: Tx, actor: Actor, walletId: string): Promise<WalletRow> {
  const { rows } = await sql<WalletRow>`${selected} where wallet.id = ${walletId} and ${visibleTo(actor)}`.execute(tx)
  const [wallet] = rows
  if (wallet) return wallet
  throw notFound('wallet')
}

/** Lists the caller's wallets, newest first, starting below an id. */
export async function listWalletRows(
  tx: Tx,
  actor: Actor,
  page: { from: string | undefined; limit: number },
): Promise<WalletRow[]> {
  const { rows } = await sql<WalletRow>`${selected}
    where ${visibleTo(actor)} and ${page.from === undefined ? sql`true` : sql`wallet.id < ${page.from}`}
    order by wallet.id desc limit ${page.limit}`.execute(tx)
  return rows
}

/** Returns a wallet in its wire form. */
export function toWallet(row: WalletRow) {
  return {
    urn: urn('wallet', row.id),
    account_urn: row.account_id === row.owner_id ? urn('human', row.owner_id) : urn('agent', row.account_id),
    address: getAddress(row.address),
    is_payout: row.is_payout,
    payout_from: row.payout_from?.toISOString() ?? null,
    verified_at: row.verified_at.toISOString(),
  }
}

/**
 * Returns whether the owner of an agent has ever proven a wallet, for themselves or for an agent of theirs.
 * It stays on file when the wallet is removed.
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
