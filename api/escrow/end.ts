import type { Split } from '../../protocol/split.ts'
import type { Settings } from '../context.ts'
import { closeIntent, voidIntents } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { reclaimedPosting, releasedPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import { lockOrderRow, type OrderRow } from '../orders/find.ts'
import { closeOrder } from './close.ts'
import type { ReclaimedEvent, ReleasedEvent } from './evidence.ts'
import { lockHold, releaseHold } from './holds.ts'
import { setStrayStatus } from './strays.ts'

const BY_RESOLVER = 0

/** The contract distributed a hold: its order ends with that split, whatever we had in mind for it. */
export async function recordRelease(tx: Tx, settings: Settings, event: ReleasedEvent): Promise<void> {
  await post(tx, releasedPosting(settings.chain, event))
  await endHold(tx, settings, event, event.credits, event.cause === BY_RESOLVER)
}

/** The payer took an expired hold back: its order ends as refunded. */
export async function recordReclaim(tx: Tx, settings: Settings, event: ReclaimedEvent): Promise<void> {
  await post(tx, reclaimedPosting(settings.chain, event))
  await endHold(tx, settings, event, [{ account: event.payer, amountMicros: event.amountMicros }], false)
}

async function endHold(
  tx: Tx,
  settings: Settings,
  event: ReleasedEvent | ReclaimedEvent,
  credits: ReleasedEvent['credits'],
  byResolver: boolean,
): Promise<void> {
  const of = await tx
    .selectFrom('market.holds')
    .select('order_id')
    .where('hold_key', '=', event.holdId)
    .executeTakeFirst()
  const order = of && (await lockOrderRow(tx, of.order_id))
  const { txHash } = event.place
  if (!order) {
    await requireStray(tx, event.holdId)
    await setStrayStatus(tx, `funded:${event.holdId}`, 'returned')
    await closeIntent(tx, `release:funded:${event.holdId}`, byResolver ? 'settled' : 'voided')
    return
  }
  const split = splitOf(order, event.payer, credits)
  const hold = await lockHold(tx, order.id)
  await releaseHold(tx, hold, split, txHash)
  if (byResolver) await closeIntent(tx, `release:${order.id}`, 'settled')
  await voidIntents(tx, order.id)
  await closeOrder(tx, settings, order, { split, settlementRef: txHash })
}

/** Throws for a hold whose beginning was not settled yet: its end waits for that, and is looked at again. */
async function requireStray(tx: Tx, holdId: string): Promise<void> {
  await tx
    .selectFrom('market.strays')
    .select('key')
    .where('key', '=', `funded:${holdId}`)
    .executeTakeFirstOrThrow(() => new Error(`hold ${holdId} ended, and that it began is not settled yet`))
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
