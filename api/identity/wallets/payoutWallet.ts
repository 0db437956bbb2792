import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/pool.ts'

/** A verified wallet that can be paid to: its address, and the signed EIP-4361 message that binds it. */
export interface PayoutWallet {
  address: string
  message: string
  signature: string
}

/**
 * Returns the wallet an agent is paid to: its own payout wallet, or else its owner's. Returns undefined if
 * neither has one, and while that wallet is in doubt (`./market restored`): no other wallet is used instead.
 * A pending replacement counts only once it has taken effect.
 */
export async function payoutWallet(tx: Tx, agentId: string): Promise<PayoutWallet | undefined> {
  const { rows } = await sql<PayoutWallet & { is_doubtful: boolean }>`
    select wallet.address, wallet.message, wallet.signature, wallet.doubtful_since is not null as is_doubtful
    ${payoutWalletOf(sql.val(agentId))}`.execute(tx)
  return usable(rows[0])
}

const payoutWalletOf = (agentId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    from market.agents agent
    join market.wallets wallet on wallet.account_id in (agent.id, agent.owner_id) and wallet.payout_from <= market.now()
    where agent.id = ${agentId}
    order by wallet.account_id = agent.id desc, wallet.payout_from desc
    limit 1`

/** Selects the address of the wallet an agent is paid to, as `payoutWallet` returns it. */
export function payoutAddressOf(agentId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select case when wallet.doubtful_since is null then wallet.address end ${payoutWalletOf(agentId)})`
}

/**
 * Returns when the wallet that an agent will be paid to takes effect, if one has been bound or chosen and
 * does not count yet.
 */
export async function nextPayoutWalletAt(tx: Tx, agentId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ payout_from: Date | null }>`
    select min(wallet.payout_from) as payout_from from market.agents agent
    join market.wallets wallet on wallet.account_id in (agent.id, agent.owner_id)
    where agent.id = ${agentId} and wallet.payout_from > market.now()`.execute(tx)
  return rows[0]?.payout_from ?? undefined
}

/** Returns whether an account is paid to a wallet: its own, or its owner's. */
export async function isPaidToWallet(tx: Tx, accountId: string, ownerId: string): Promise<boolean> {
  const { rows } = await sql`select from market.wallets
    where account_id in (${accountId}, ${ownerId}) and payout_from <= market.now() limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * Returns a wallet by its id, whether or not its account is still paid to it. Returns undefined if it was
 * removed, and 'doubtful' while it is in doubt.
 */
export async function boundWallet(tx: Tx, walletId: string): Promise<PayoutWallet | 'doubtful' | undefined> {
  const wallet = await tx
    .selectFrom('market.wallets')
    .select([
      'address',
      'message',
      'signature',
      (row) => row('doubtful_since', 'is not', null).$castTo<boolean>().as('is_doubtful'),
    ])
    .where('id', '=', walletId)
    .executeTakeFirst()
  return wallet && (usable(wallet) ?? 'doubtful')
}

function usable(wallet: (PayoutWallet & { is_doubtful: boolean }) | undefined): PayoutWallet | undefined {
  if (!wallet || wallet.is_doubtful) return undefined
  const { address, message, signature } = wallet
  return { address, message, signature }
}

/**
 * Locks a human's payout wallets and the payouts to them until the transaction ends. Of two wallets verified
 * at once, only one becomes the first; and a payout that opens while a wallet is verified either sees the
 * wallet or is unblocked by it.
 */
export async function lockPayoutWallets(tx: Tx, humanId: string): Promise<void> {
  await tx.selectFrom('market.humans').select('id').where('id', '=', humanId).forNoKeyUpdate().execute()
}

/**
 * A payout wallet that is in doubt since a restore (`./market restored`) and was replaced by another wallet
 * of its account.
 */
export interface ReplacedWallet {
  id: string
  accountId: string
  ownerId: string
}

/**
 * Lists the payout wallets in doubt whose account has chosen another wallet since, once that choice has taken
 * effect.
 */
export async function findReplacedDoubtfulWallets(db: Db): Promise<ReplacedWallet[]> {
  const { rows } = await sql<ReplacedWallet>`
    select wallet.id, wallet.account_id as "accountId", wallet.owner_id as "ownerId" from market.wallets wallet
    where wallet.doubtful_since is not null and wallet.payout_from is not null and exists (
      select from market.wallets other where other.account_id = wallet.account_id and other.doubtful_since is null
        and other.payout_from > wallet.payout_from and other.payout_from <= market.now())`.execute(db)
  return rows
}

/** Stops payouts to a wallet. */
export async function endPayoutWallet(tx: Tx, walletId: string): Promise<void> {
  await tx.updateTable('market.wallets').set({ payout_from: null }).where('id', '=', walletId).execute()
}
