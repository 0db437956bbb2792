import { urnString } from '../../protocol/urn.ts'
import { findWallet, type WalletRow } from '../accounts/wallets.ts'
import type { CallContext } from '../context.ts'
import { audit } from '../db/audit.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { payoutMovedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import { inTransit, payoutAccount } from './account.ts'
import { findPayout } from './queries.ts'
import { movePayout, type PayoutRow } from './transition.ts'
import { lockPayee } from './unblock.ts'

/**
 * Tries a parked payout again, under its nonce, to a wallet that its owner is paid to now: that one was chosen with time to
 * object, so a thief cannot name another. Throws 404 for others' payouts and wallets, payouts/wallet-not-in-use for a
 * wallet of theirs that nobody is paid to, and payouts/not-parked for a payout that is under way, made or called off.
 */
export async function reopenPayout(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  { payoutId, walletId }: { payoutId: string; walletId: string },
): Promise<PayoutRow> {
  await lockPayee(tx, actor.humanId)
  await findPayout(tx, actor, payoutId)
  const wallet = await findWallet(tx, actor, walletId)
  requireInUse(wallet)
  const parked = await lockParked(tx, payoutId)
  const attempt = parked.attempt + 1
  if (parked.leg === 'payer') {
    const move = { step: `reopened#${attempt}`, from: payoutAccount(parked), to: inTransit(parked) }
    await post(tx, payoutMovedPosting(settings.chain, parked, move))
  }
  // To whoever paid it goes as before: that takes no word of theirs.
  const isPayers = parked.leg === 'payer' && wallet.address === parked.deposit_from
  const payout = await movePayout(tx, payoutId, 'reopen', { attempt, wallet_id: isPayers ? null : wallet.id })
  if (!payout) throw new Error(`payout ${payoutId} was locked, and is not parked`)
  await tellOwner(tx, payout, wallet)
  return payout
}

function requireInUse(wallet: WalletRow): void {
  if (wallet.is_payout) return
  throw new Problem('payouts/wallet-not-in-use', {
    detail:
      'Nobody is paid to this wallet. Choose it as a payout wallet first (POST /v1/me/wallets/{urn}/payout), and come back when that has begun.',
    field: 'wallet_urn',
  })
}

async function lockParked(tx: Tx, payoutId: string): Promise<PayoutRow> {
  return tx
    .selectFrom('market.payouts')
    .selectAll()
    .where('id', '=', payoutId)
    .where('state', '=', 'failed')
    .where('parked_at', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(
      () =>
        new Problem('payouts/not-parked', {
          detail: 'Only a payout whose attempts are used up can be opened again. Read it to see where it stands.',
        }),
    )
}

async function tellOwner(tx: Tx, payout: PayoutRow, { id, address, owner_id }: WalletRow): Promise<void> {
  const subject = urnString('payout', payout.id)
  const details = { wallet_urn: urnString('wallet', id), attempt: payout.attempt }
  await audit(tx, {
    actor: urnString('human', owner_id),
    action: 'payout.reopen',
    subject,
    details: { ...details, address },
  })
  const order = payout.order_id ? { order_urn: urnString('order', payout.order_id) } : {}
  const visibleTo = [payout.agent_id, owner_id].filter((account) => account !== null)
  const payload = { payout_urn: subject, ...order, ...details, state: payout.state }
  await emit(tx, { type: 'payout.reopened', payload, visibleTo })
}
