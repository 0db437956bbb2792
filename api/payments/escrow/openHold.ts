import { v7 as uuidv7 } from 'uuid'
import type { Settings } from '../../context.ts'
import { announce } from '../../platform/announcements/announce.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { settleFundingIntents } from '../chain/intents.ts'
import { HoldFunded } from './announcements.ts'
import type { EscrowOrder } from './escrowOrder.ts'
import type { PaymentIdentity } from './payerAttribution.ts'

/** The payment that funds an order: how the token names it, its transaction, and in contract mode its hold. */
export interface FundingPayment extends PaymentIdentity {
  amountMicros: bigint
  txHash: string
  holdId: string | null
}

/**
 * Records that an order is paid: writes its hold, settles its authorization, closes the intents to get it paid, and
 * announces HoldFunded. The order must be locked and await payment.
 */
export async function openHold(tx: Tx, settings: Settings, order: EscrowOrder, payment: FundingPayment): Promise<void> {
  const { payer, nonce, txHash } = payment
  await tx
    .insertInto('market.holds')
    .values({
      id: uuidv7(),
      order_id: order.id,
      status: 'held',
      payer,
      amount_micros: payment.amountMicros,
      deposit_nonce: nonce,
      deposit_tx: txHash,
      hold_key: payment.holdId,
    })
    .execute()
  await settleAuthorization(tx, order.id, payment)
  await settleFundingIntents(tx, order.id)
  await announce(tx, settings, HoldFunded, { order: order.row, payer, nonce, txHash })
}

/** At most one authorization of an order is not failed, so those of wallets that did not pay fail first. */
async function settleAuthorization(tx: Tx, orderId: string, { payer, nonce }: PaymentIdentity): Promise<void> {
  const filed = tx.updateTable('market.authorizations').where('order_id', '=', orderId)
  await filed
    .set({ state: 'failed' })
    .where('state', '=', 'pending')
    .where((row) => row.not(row.and([row('payer', '=', payer), row('nonce', '=', nonce)])))
    .execute()
  await filed.set({ state: 'settled' }).where('payer', '=', payer).where('nonce', '=', nonce).execute()
}
