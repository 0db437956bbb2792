import type { Address, Hex } from 'viem'
import { announce } from '../../../platform/announcements/announce.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { feeFiledFor } from '../../appealFees/find.ts'
import { closeFailedIntent } from '../../chain/intents.ts'
import { commonHead, confirmedAt } from '../../chain/nodes.ts'
import { isProcessed, isSpent, paymentsSeen, requireUseShown } from '../../chain/payments.ts'
import { PaymentFailed } from '../../escrow/announcements.ts'
import { failAuthorization, isAdopting, NONCE_USED } from '../../escrow/authorizations.ts'
import { lockOrderRow, readOrderRow } from '../../escrow/queries.ts'

/**
 * Follows up an authorization that could not be submitted. Fails it if it is unspent, or was spent without a
 * payment to us: its payer may then sign again. If it was submitted to the token directly, the authorization
 * stays on file: `settle` processes that payment, or it is being adopted.
 */
export async function followFunding(
  services: JobServices,
  intent: { id: string; key: string; order_id: string | null; reason: string },
  { from, nonce }: { from: Address; nonce: Hex },
): Promise<void> {
  const { db, log, settings } = services
  const orderId = intent.order_id
  const offeredAt = await whenOffered(services, orderId, { payer: from.toLowerCase(), nonce })
  const standing = offeredAt && (await standingOf(services, offeredAt, from, nonce))
  if (!standing || standing === 'undecided') return
  const failure = standing === 'spent' ? NONCE_USED : nameOf(intent.reason)
  const isSuspended = await inTransaction(db, 'read write', async (tx) => {
    const order = orderId === null ? undefined : await lockOrderRow(tx, orderId)
    const isNeeded = order?.state === 'placed' && (await isAdopting(tx, order.id))
    if (!(await closeFailedIntent(tx, intent.id))) return undefined
    if (!isNeeded) await failAuthorization(tx, { payer: from.toLowerCase(), nonce }, failure)
    if (order && !isNeeded) {
      await announce(tx, settings, PaymentFailed, { order, payer: from, nonce, failure })
    }
    return order !== undefined && order.suspended_at !== null
  })
  if (isSuspended === undefined) return
  const about = { intent: intent.key, order: orderId }
  if (isSuspended) log.error({ alarm: true, ...about }, 'the payment of a suspended order cannot be made again')
  else log.info(about, 'an authorization could not be submitted')
}

/** Returns the name of the cause, which follows the status in the facilitator's outcome, or `reverted`. */
function nameOf(reason: string): string {
  return /^(?:failed|refused): ([a-z_]{1,64})$/.exec(reason)?.[1] ?? 'reverted'
}

/**
 * Returns when the order, or the appeal's fee, that the authorization pays was offered. Undefined if it pays
 * neither.
 */
async function whenOffered(
  { db }: JobServices,
  orderId: string | null,
  payment: { payer: string; nonce: string },
): Promise<Date | undefined> {
  if (orderId !== null) return (await readOrderRow(db, orderId)).placed_at
  return (await feeFiledFor(db, payment))?.offered_at
}

/**
 * Returns whether the authorization is spent, once it can have no further effect that is not already
 * processed.
 */
async function standingOf(
  services: JobServices,
  since: Date,
  from: Address,
  nonce: Hex,
): Promise<'unspent' | 'spent' | 'undecided'> {
  const head = await commonHead(services)
  if (!(await isSpent(services, from, nonce, head))) return 'unspent'
  const to = confirmedAt(services, head)
  if (to === undefined || !(await isSpent(services, from, nonce, to))) return 'undecided'
  const payments = await paymentsSeen(services, [nonce], { since, to })
  for (const payment of payments) if (!(await isProcessed(services, payment))) return 'undecided'
  await requireUseShown(services, { from, nonce }, to)
  return 'spent'
}
