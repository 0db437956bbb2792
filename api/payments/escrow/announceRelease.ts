import { type Address, getAddress, type Hex } from 'viem'
import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { splitHold } from '../../../protocol/payments/split.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { requestIntent } from '../chain/intents.ts'
import { lockHold } from './holds.ts'
import type { OrderRow } from './queries.ts'
import { contractRelease } from './release.ts'

/**
 * Files the distribution that is made if the buyer of a delivered order does not object: all to the seller's
 * wallet, less the fee. The facilitator records when it first saw it, so its delay for releases without proof
 * runs beside the buyer's window. The order must be locked.
 */
export async function announceRelease(tx: Tx, order: OrderRow, wallet: string): Promise<void> {
  const hold = await lockHold(tx, order.id)
  const split = splitHold(hold.amount_micros, 0n, order.fee_bps)
  const distribution =
    order.escrow_mode === 'contract'
      ? contractRelease(order, hold, split)
      : await payoutOf(tx, order, hold, { wallet, amount: split.payeeMicros })
  const name = { key: `sight:${order.id}:${wallet}`, orderId: order.id }
  await requestIntent(tx, name, { kind: 'sight', distribution })
}

async function payoutOf(
  tx: Tx,
  order: OrderRow,
  hold: { payer: string; deposit_nonce: string },
  { wallet, amount }: { wallet: string; amount: bigint },
): Promise<Extract<IntentOf<'sight'>['distribution'], { kind: 'payout' }>> {
  const deposit = await tx
    .selectFrom('market.deposits')
    .select(['amount_micros', 'tx_hash'])
    .where('payer', '=', hold.payer)
    .where('nonce', '=', hold.deposit_nonce)
    .executeTakeFirstOrThrow()
  return {
    kind: 'payout',
    deposit: {
      from: hold.payer as Address,
      nonce: hold.deposit_nonce as Hex,
      amount: deposit.amount_micros,
      txHash: deposit.tx_hash as Hex,
    },
    leg: 'payee',
    to: getAddress(wallet),
    amount,
    sale: { orderId: order.id, agentId: order.seller_id, ownerId: order.seller_owner_id },
  }
}
