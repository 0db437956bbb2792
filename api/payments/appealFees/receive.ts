import { sql } from 'kysely'
import type { Settings } from '../../context.ts'
import { announce } from '../../platform/announcements/announce.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { PaymentEvent } from '../chain/evidence.ts'
import { attributePayer } from '../escrow/payerAttribution.ts'
import { appealPaidPosting } from '../ledger/appealFees.ts'
import { post } from '../ledger/post.ts'
import { AppealFeePaid } from './announcements.ts'
import { bookedFee, closeFeeIntents, type LockedFee } from './find.ts'

/**
 * Records a payment into the hot wallet as the fee of an appeal, if the appeal awaits its fee, the amount is
 * exact and the payer is a wallet of the appellant. The fee is then held for the dispute, and AppealFeePaid
 * is announced. Returns false, changing nothing, for any other payment. The fee and its order must be locked.
 */
export async function receiveAppealFee(
  tx: Tx,
  settings: Settings,
  event: PaymentEvent,
  { fee, order }: LockedFee,
): Promise<boolean> {
  const payment = { payer: event.from, nonce: event.nonce }
  const isAwaited = fee.state === 'offered' && event.to === fee.recipient && event.amountMicros === fee.amount_micros
  if (!isAwaited) return false
  const target = { agentId: fee.agent_id, filed: { appeal_fee_id: fee.id } }
  if ((await attributePayer(tx, target, payment)) !== 'buyer') return false
  await post(tx, appealPaidPosting(settings.chain, event, bookedFee(fee)))
  await tx
    .updateTable('market.appeal_fees')
    .set({ state: 'held', payer: event.from, deposit_tx: event.place.txHash, paid_at: sql<Date>`market.now()` })
    .where('id', '=', fee.id)
    .where('state', '=', 'offered')
    .returning('id')
    .executeTakeFirstOrThrow()
  await resolveAuthorizations(tx, fee.id, payment)
  await closeFeeIntents(tx, fee.id, 'settled')
  await announce(tx, settings, AppealFeePaid, { order, disputeId: fee.dispute_id, party: fee.party })
  return true
}

/**
 * Settles the payer's authorization and fails those of other wallets: at most one authorization of a fee is
 * not failed.
 */
async function resolveAuthorizations(tx: Tx, feeId: string, { payer, nonce }: { payer: string; nonce: string }) {
  const filed = tx.updateTable('market.authorizations').where('appeal_fee_id', '=', feeId)
  await filed.set({ state: 'failed' }).where('state', '=', 'pending').where('payer', '<>', payer).execute()
  await filed.set({ state: 'settled' }).where('payer', '=', payer).where('nonce', '=', nonce).execute()
}
