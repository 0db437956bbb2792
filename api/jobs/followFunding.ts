import type { Address, Hex } from 'viem'
import { closeIntent } from '../db/intents.ts'
import { inTransaction } from '../db/transaction.ts'
import { failAuthorization, isAdopting } from '../escrow/authorizations.ts'
import { lockOrderRow } from '../orders/find.ts'
import { commonHead, confirmedAt } from './head.ts'
import { isSettled, isSpent, paymentsSeen, requireUseShown } from './payments.ts'
import type { JobServices } from './services.ts'

/**
 * Follows up an authorization that could not be submitted. Dead is one that is not spent, or was spent without paying us:
 * then its payer may sign again. Somebody may have taken it straight to the token instead: that payment is on its way
 * through settle, or being adopted, and the authorization stays on file for it.
 */
export async function followFunding(
  services: JobServices,
  intent: { key: string; order_id: string | null },
  { from, nonce }: { from: Address; nonce: Hex },
): Promise<void> {
  const { db, log } = services
  const orderId = intent.order_id
  if (orderId === null || !(await isDecided(services, orderId, from, nonce))) return
  const isSuspended = await inTransaction(db, 'read write', async (tx) => {
    const order = await lockOrderRow(tx, orderId)
    const isWaitedFor = order?.state === 'placed' && (await isAdopting(tx, orderId))
    if (!isWaitedFor) await failAuthorization(tx, orderId, { payer: from.toLowerCase(), nonce })
    await closeIntent(tx, intent.key, 'failed')
    return order !== undefined && order.suspended_at !== null
  })
  const about = { intent: intent.key, order: orderId }
  if (isSuspended) log.error({ alarm: true, ...about }, 'the payment of a suspended order cannot be made again')
  else log.info(about, 'an authorization could not be submitted')
}

/** Whether nothing can come of the authorization any more that has not come of it already. */
async function isDecided(services: JobServices, orderId: string, from: Address, nonce: Hex): Promise<boolean> {
  const head = await commonHead(services)
  if (!(await isSpent(services, from, nonce, head))) return true
  const to = confirmedAt(services, head)
  if (to === undefined || !(await isSpent(services, from, nonce, to))) return false
  const order = await services.db
    .selectFrom('market.orders')
    .select('placed_at')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const range = { since: order.placed_at, to }
  const payments = await paymentsSeen(services, [nonce], range)
  for (const payment of payments) if (!(await isSettled(services, payment))) return false
  await requireUseShown(services, { from, nonce }, to)
  return true
}
