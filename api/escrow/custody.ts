import type { Split } from '../../protocol/split.ts'
import type { Settings } from '../context.ts'
import { voidIntents } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { custodyReleasedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import type { OrderRow } from '../orders/find.ts'
import { openPayout } from '../payouts/open.ts'
import { closeOrder } from './close.ts'
import { type HoldRow, releaseHold } from './holds.ts'

/**
 * Distributes a custodied hold in the books and ends its order: what the seller and the payer get is on its way as
 * payouts from now on. The order and its hold must be locked, and the hold still held.
 */
export async function releaseDeposit(
  tx: Tx,
  settings: Settings,
  order: OrderRow,
  hold: HoldRow,
  split: Split,
): Promise<void> {
  const [buyerOwnerId, sellerOwnerId] = [await ownerOf(tx, order.buyer_id), await ownerOf(tx, order.seller_id)]
  const common = { deposit: { payer: hold.payer, nonce: hold.deposit_nonce }, orderId: order.id } as const
  await releaseHold(tx, hold, split)
  await voidIntents(tx, order.id)
  if (split.payeeMicros > 0n) {
    const payee = {
      leg: 'payee',
      amountMicros: split.payeeMicros,
      agentId: order.seller_id,
      humanId: sellerOwnerId,
    } as const
    await openPayout(tx, settings, { ...common, ...payee })
  }
  const payer = {
    leg: 'payer',
    amountMicros: split.payerMicros,
    agentId: order.buyer_id,
    humanId: buyerOwnerId,
  } as const
  const refund = split.payerMicros > 0n ? await openPayout(tx, settings, { ...common, ...payer }) : null
  const parties = { sellerOwnerId, refundPayoutId: refund?.id ?? null }
  await post(tx, custodyReleasedPosting(settings.chain, order.id, split, parties))
  await closeOrder(tx, settings, order, { split, settlementRef: hold.deposit_tx })
}

async function ownerOf(tx: Tx, agentId: string): Promise<string> {
  const agent = await tx
    .selectFrom('market.agents')
    .select('owner_id')
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()
  return agent.owner_id
}
