import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { accountUrn } from '../../../actor.ts'
import type { CallContext } from '../../../context.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { isPaidToWallet, lockPayoutWallets } from '../payoutWallet.ts'
import { findWallet, type WalletRow } from '../wallets.ts'
import { announcePayoutWallet } from './announcePayoutWallet.ts'

/**
 * Makes a wallet the payout wallet of its account once rules.payoutWalletDelaySeconds have passed, or at once
 * if the account is paid to no wallet yet: the route requires a fresh passkey. Emits an event at once, so
 * that the owner can object if a thief chose it. Replaces a pending change; choosing the current payout
 * wallet cancels one. Throws 404 for a wallet of another account.
 */
export async function choosePayoutWallet(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  walletId: string,
): Promise<WalletRow> {
  await lockPayoutWallets(tx, actor.humanId)
  const { account_id: accountId, is_payout: isPayout } = await findWallet(tx, actor, walletId)
  await sql`update market.wallets set payout_from = null
    where account_id = ${accountId} and payout_from > market.now()`.execute(tx)
  if (!isPayout) {
    const from = (await isPaidToWallet(tx, accountId, actor.humanId))
      ? sql`market.now() + make_interval(secs => ${settings.rules.payoutWalletDelaySeconds})`
      : new Date(0)
    await sql`update market.wallets set payout_from = ${from} where id = ${walletId}`.execute(tx)
  }
  const wallet = await findWallet(tx, actor, walletId)
  const details = await announcePayoutWallet(tx, wallet)
  const subject = urnString('wallet', walletId)
  await audit(tx, { actor: accountUrn(actor), action: 'wallet.choose', subject, details })
  return wallet
}
