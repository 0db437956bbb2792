import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { walletEvents } from '../module.ts'
import type { WalletRow } from '../wallets.ts'

/**
 * Tells an account and its owner when payouts to a wallet begin. Returns the wallet's members of the event.
 */
export async function announcePayoutWallet(tx: Tx, wallet: WalletRow) {
  const isHumans = wallet.account_id === wallet.owner_id
  const details = {
    account_urn: urnString(isHumans ? 'human' : 'agent', wallet.account_id),
    payout_from: wallet.payout_from?.toISOString() ?? null,
  }
  await emit(tx, walletEvents['payout.wallet_chosen'], {
    payload: { wallet_urn: urnString('wallet', wallet.id), ...details },
    visibleTo: isHumans ? [wallet.owner_id] : [wallet.owner_id, wallet.account_id],
  })
  return details
}
