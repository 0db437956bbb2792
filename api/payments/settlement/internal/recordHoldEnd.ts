import type { Split } from '../../../../protocol/payments/split.ts'
import type { Settings } from '../../../context.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { ReclaimedEvent, ReleasedEvent } from '../../chain/evidence.ts'
import { closeIntent, voidIntents } from '../../chain/intents.ts'
import { HoldReclaimed, HoldReleased } from '../../escrow/announcements.ts'
import { lockHold, releaseHold } from '../../escrow/holds.ts'
import { lockOrderRow, type OrderRow } from '../../escrow/queries.ts'
import { setStrayStatus } from '../../escrow/strayPayments.ts'
import { reclaimedPosting, releasedPosting } from '../../ledger/contract.ts'
import { post } from '../../ledger/post.ts'

const BY_RESOLVER = 0

/**
 * The contract distributed a hold: records that split, even if another was requested, and announces
 * HoldReleased.
 */
export async function recordRelease(tx: Tx, settings: Settings, event: ReleasedEvent): Promise<void> {
  await post(tx, releasedPosting(settings.chain, event))
  const byResolver = event.cause === BY_RESOLVER
  const released = await endHold(tx, event, { credits: event.credits, byResolver })
  if (released) await announce(tx, settings, HoldReleased, released)
}

/** The payer reclaimed an expired hold: records that the payer got all of it, and announces HoldReclaimed. */
export async function recordReclaim(tx: Tx, settings: Settings, event: ReclaimedEvent): Promise<void> {
  await post(tx, reclaimedPosting(settings.chain, event))
  const credits = [{ account: event.payer, amountMicros: event.amountMicros }]
  const reclaimed = await endHold(tx, event, { credits, byResolver: false })
  if (reclaimed) await announce(tx, settings, HoldReclaimed, reclaimed)
}

/**
 * Ends a hold as the contract ended it. Returns the announcement to make; undefined for the hold of a stray
 * payment.
 */
async function endHold(
  tx: Tx,
  event: ReleasedEvent | ReclaimedEvent,
  { credits, byResolver }: { credits: ReleasedEvent['credits']; byResolver: boolean },
): Promise<HoldReleased | undefined> {
  const held = await tx
    .selectFrom('market.holds')
    .select('order_id')
    .where('hold_key', '=', event.holdId)
    .executeTakeFirst()
  const order = held && (await lockOrderRow(tx, held.order_id))
  const { txHash } = event.place
  if (!order) {
    await requireUnmatched(tx, event.holdId)
    await setStrayStatus(tx, `funded:${event.holdId}`, 'returned')
    await closeIntent(tx, `release:funded:${event.holdId}`, byResolver ? 'settled' : 'voided')
    return undefined
  }
  const split = splitOf(order, event.payer, credits)
  await releaseHold(tx, await lockHold(tx, order.id), split, { releaseTx: txHash })
  if (byResolver) await closeIntent(tx, `release:${order.id}`, 'settled')
  await voidIntents(tx, order.id)
  return { order, split, settlementRef: txHash }
}

/** Throws for a hold whose funding is not yet processed: its end is retried after that. */
async function requireUnmatched(tx: Tx, holdId: string): Promise<void> {
  await tx
    .selectFrom('market.unmatched_payments')
    .select('key')
    .where('key', '=', `funded:${holdId}`)
    .executeTakeFirstOrThrow(() => new Error(`hold ${holdId} ended, and its beginning is not processed yet`))
}

function splitOf(order: OrderRow, payer: string, credits: ReleasedEvent['credits']): Split {
  const creditOf = (account: string | null) =>
    credits.reduce((sum, credit) => (credit.account === account ? sum + credit.amountMicros : sum), 0n)
  return {
    payerMicros: creditOf(payer),
    payeeMicros: creditOf(order.payee),
    feeMicros: creditOf(order.fee_recipient),
  }
}
