import { urnString } from '../../protocol/urn.ts'
import type { Actor } from '../context.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { lockPayee } from '../payouts/unblock.ts'
import { actorUrn } from '../tokens/actor.ts'
import { findWallet } from './wallets.ts'

/**
 * Unbinds a wallet of the caller's. Throws 404 for others', and wallets/paid-to for the one its account is paid to: were
 * that gone, the next one would be the first again, and paid to at once.
 */
export async function removeWallet(tx: Tx, actor: Actor, walletId: string): Promise<void> {
  await lockPayee(tx, actor.humanId)
  const wallet = await findWallet(tx, actor, walletId)
  if (wallet.is_payout) {
    throw new Problem('wallets/paid-to', {
      detail:
        'The account is paid to this wallet: choose another in its place first, and remove it when that has begun.',
    })
  }
  await tx.deleteFrom('market.wallets').where('id', '=', walletId).execute()
  await audit(tx, {
    actor: actorUrn(actor),
    action: 'wallet.remove',
    subject: urnString('wallet', walletId),
    details: { address: wallet.address },
  })
}
