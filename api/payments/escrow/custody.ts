import type { ReleaseEvidence } from '../../../protocol/payments/intents.ts'
import type { Split } from '../../../protocol/payments/split.ts'
import type { Settings } from '../../context.ts'
import { readOwner } from '../../identity/accounts/owner.ts'
import { announce } from '../../platform/announcements/announce.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { voidIntents } from '../chain/intents.ts'
import { custodyReleasedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import { openPayout } from '../payouts/open.ts'
import { HoldReleased } from './announcements.ts'
import { type HoldRow, releaseHold } from './holds.ts'
import type { OrderRow } from './queries.ts'

/**
 * Distributes a custodied hold: marks it released, opens the payouts of the seller's and the payer's parts,
 * posts the split to the ledger, and announces HoldReleased. The payouts' intents will carry the evidence.
 * The order and its hold must be locked. Throws if the hold was already released.
 */
export async function releaseDeposit(
  tx: Tx,
  settings: Settings,
  order: OrderRow,
  hold: HoldRow,
  split: Split,
  evidence?: ReleaseEvidence,
): Promise<void> {
  const common = { deposit: { payer: hold.payer, nonce: hold.deposit_nonce }, orderId: order.id } as const
  await releaseHold(tx, hold, split, { evidence })
  await voidIntents(tx, order.id)
  if (split.payeeMicros > 0n) {
    const payee = {
      leg: 'payee',
      amountMicros: split.payeeMicros,
      agentId: order.seller_id,
      humanId: order.seller_owner_id,
    } as const
    await openPayout(tx, settings, { ...common, ...payee })
  }
  const payer = { leg: 'payer', amountMicros: split.payerMicros, agentId: order.buyer_id } as const
  const refund =
    split.payerMicros > 0n
      ? await openPayout(tx, settings, { ...common, ...payer, humanId: await readOwner(tx, order.buyer_id) })
      : null
  const parties = { sellerOwnerId: order.seller_owner_id, refundPayoutId: refund?.id ?? null }
  await post(tx, custodyReleasedPosting(settings.chain, order.id, split, parties))
  await announce(tx, settings, HoldReleased, { order, split, settlementRef: hold.deposit_tx })
}
