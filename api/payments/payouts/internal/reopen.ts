import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { lockPayoutWallets } from '../../../identity/wallets/payoutWallet.ts'
import { findWallet, type WalletRow } from '../../../identity/wallets/wallets.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { payoutMovedPosting } from '../../ledger/custody.ts'
import { post } from '../../ledger/post.ts'
import { inTransit, payoutAccount } from '../account.ts'
import { payoutEvents } from '../module.ts'
import { payoutProblems } from '../problems.ts'
import { type PayoutRow, payoutPayload, transitionPayout } from '../transition.ts'
import { findPayout } from './queries.ts'

/**
 * Retries a parked payout, under its nonce, to a payout wallet that is in use now: it went through the
 * objection period, so a thief cannot name another. Throws 404 for others' payouts and wallets,
 * payouts/wallet-not-in-use for an own wallet that is not in use, and payouts/not-parked for a payout that is
 * in flight, paid or cancelled.
 */
export async function reopenPayout(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  { payoutId, walletId }: { payoutId: string; walletId: string },
): Promise<PayoutRow> {
  await lockPayoutWallets(tx, actor.humanId)
  await findPayout(tx, actor, payoutId)
  const wallet = await findWallet(tx, actor, walletId)
  requireInUse(wallet)
  const parked = await lockParked(tx, payoutId)
  const attempt = parked.attempt + 1
  if (parked.leg === 'payer') {
    const move = { step: `reopened#${attempt}`, from: payoutAccount(parked), to: inTransit(parked) }
    await post(tx, payoutMovedPosting(settings.chain, parked, move))
  }
  // A refund to its payer's own wallet needs no wallet binding.
  const isPayers = parked.leg === 'payer' && wallet.address === parked.deposit_from
  const payout = await transitionPayout(tx, payoutId, 'reopen', { attempt, wallet_id: isPayers ? null : wallet.id })
  if (!payout) throw new Error(`payout ${payoutId} was locked, and is not parked`)
  await tellOwner(tx, payout, wallet)
  return payout
}

function requireInUse(wallet: WalletRow): void {
  if (wallet.is_payout) return
  throw new Problem(payoutProblems.walletNotInUse, {
    detail:
      'Nobody is paid to this wallet. Choose it as a payout wallet first (POST /v1/me/wallets/{urn}/payout), and try again once it is in use.',
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
        new Problem(payoutProblems.notParked, {
          detail: 'Only a payout whose attempts are used up can be opened again. Read it to see its state.',
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
  const visibleTo = [payout.agent_id, owner_id].filter((account) => account !== null)
  const payload = { ...payoutPayload(payout), ...details }
  await emit(tx, payoutEvents['payout.reopened'], { payload, visibleTo })
}
