import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { accountUrn } from '../../../actor.ts'
import type { Actor } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { lockPayoutWallets } from '../payoutWallet.ts'
import { walletProblems } from '../problems.ts'
import { findWallet } from '../wallets.ts'

/**
 * Unbinds a wallet of the caller. Throws 404 for a wallet of another account, and wallets/paid-to for the
 * payout wallet of its account: otherwise the next verified wallet would count as the account's first and
 * become its payout wallet without a delay.
 */
export async function removeWallet(tx: Tx, actor: Actor, walletId: string): Promise<void> {
  await lockPayoutWallets(tx, actor.humanId)
  const wallet = await findWallet(tx, actor, walletId)
  if (wallet.is_payout) {
    throw new Problem(walletProblems.paidTo, {
      detail:
        'The account is paid to this wallet. Choose another payout wallet first, and remove this one once the other is in use.',
    })
  }
  await sql`select market.remove_wallet(${walletId})`.execute(tx)
  await audit(tx, {
    actor: accountUrn(actor),
    action: 'wallet.remove',
    subject: urnString('wallet', walletId),
    details: { address: wallet.address },
  })
}
