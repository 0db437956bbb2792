import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import type { CallContext } from '../context.ts'
import { audit } from '../db/audit.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import { lockPayee } from '../payouts/unblock.ts'
import { actorUrn } from '../tokens/actor.ts'
import { findWallet, type WalletRow } from './wallets.ts'

/**
 * Has a wallet take the place of the one its account is paid to, once rules.payoutWalletDelaySeconds have passed, and
 * tells the owner by an event at once: time to object to what a thief has chosen. It takes the place of another change
 * that is still to come; the wallet that is paid to now, chosen, undoes one. Throws 404 for a wallet of others.
 */
export async function choosePayoutWallet(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  walletId: string,
): Promise<WalletRow> {
  await lockPayee(tx, actor.humanId)
  const { account_id: accountId, is_payout: isPayout } = await findWallet(tx, actor, walletId)
  const delaySeconds = settings.rules.payoutWalletDelaySeconds
  await sql`update market.wallets set payout_from = null
    where account_id = ${accountId} and payout_from > market.now()`.execute(tx)
  if (!isPayout) {
    await sql`update market.wallets set payout_from = market.now() + make_interval(secs => ${delaySeconds})
      where id = ${walletId}`.execute(tx)
  }
  const wallet = await findWallet(tx, actor, walletId)
  const isHumans = wallet.account_id === wallet.owner_id
  const details = {
    account_urn: urnString(isHumans ? 'human' : 'agent', wallet.account_id),
    payout_from: wallet.payout_from?.toISOString() ?? null,
  }
  const subject = urnString('wallet', walletId)
  await audit(tx, { actor: actorUrn(actor), action: 'wallet.choose', subject, details })
  await emit(tx, {
    type: 'payout.wallet_chosen',
    payload: { wallet_urn: subject, ...details },
    visibleTo: isHumans ? [wallet.owner_id] : [wallet.owner_id, wallet.account_id],
  })
  return wallet
}
