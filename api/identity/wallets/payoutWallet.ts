import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/** A verified wallet that can be paid to: its address, and the signed EIP-4361 message that binds it. */
export interface PayoutWallet {
  address: string
  message: string
  signature: string
}

/**
 * Returns the wallet an agent is paid to: its own payout wallet, or else its owner's. Returns undefined if neither has
 * one, and while that wallet is in doubt (`./market restored`): no other wallet is used instead. A pending replacement
 * counts only once it has taken effect.
 */
export async function payoutWallet(tx: Tx, agentId: string): Promise<PayoutWallet | undefined> {
  const { rows } = await sql<PayoutWallet & { is_doubtful: boolean }>`
    select wallet.address, wallet.message, wallet.signature, wallet.doubtful_since is not null as is_doubtful
    from market.agents agent
    join market.wallets wallet on wallet.account_id in (agent.id, agent.owner_id) and wallet.payout_from <= market.now()
    where agent.id = ${agentId}
    order by wallet.account_id = agent.id desc, wallet.payout_from desc
    limit 1`.execute(tx)
  return usable(rows[0])
}

/**
 * Returns a wallet by its id, whether or not its account is still paid to it. Returns undefined if it was removed, and
 * 'doubtful' while it is in doubt.
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
