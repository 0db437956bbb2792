import type { Address, Hex } from 'viem'
import { inTransaction } from '../../platform/db/transaction.ts'
import { announce } from '../../platform/facts/announce.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { failAuthorization, isAdopting, NONCE_USED } from '../escrow/authorizations.ts'
import { lockPayable, readPayable } from '../escrow/queries.ts'
import { PaymentFailed } from '../facts.ts'
import { commonHead, confirmedAt } from './head.ts'
import { closeIntent } from './intents.ts'
import { isSettled, isSpent, paymentsSeen, requireUseShown } from './payments.ts'

/**
 * Follows up an authorization that could not be submitted. Fails it if it is unspent, or was spent without a payment to
 * us: its payer may then sign again. If it was submitted to the token directly, the authorization stays on file:
 * `settle` processes that payment, or it is being adopted.
 */
export async function followFunding(
  services: JobServices,
  intent: { key: string; order_id: string | null; reason: string },
  { from, nonce }: { from: Address; nonce: Hex },
): Promise<void> {
  const { db, log, settings } = services
  const payableId = intent.order_id
  const standing = payableId === null ? 'undecided' : await standingOf(services, payableId, from, nonce)
  if (payableId === null || standing === 'undecided') return
  const failure = standing === 'spent' ? NONCE_USED : nameOf(intent.reason)
  const isSuspended = await inTransaction(db, 'read write', async (tx) => {
    const payable = await lockPayable(tx, payableId)
    const isNeeded = payable?.isAwaitingPayment && (await isAdopting(tx, payableId))
    await closeIntent(tx, intent.key, 'failed')
    if (payable && !isNeeded) {
      await failAuthorization(tx, payableId, { payer: from.toLowerCase(), nonce }, failure)
      await announce(tx, settings, PaymentFailed, { payable, payer: from, nonce, failure })
    }
    return payable !== undefined && payable.suspendedAt !== null
  })
  const about = { intent: intent.key, order: payableId }
  if (isSuspended) log.error({ alarm: true, ...about }, 'the payment of a suspended order cannot be made again')
  else log.info(about, 'an authorization could not be submitted')
}

/** Returns the name of a cause as the facilitator's outcome has it after its status, or `reverted`. */
function nameOf(reason: string): string {
  return /^(?:failed|refused): ([a-z_]{1,64})$/.exec(reason)?.[1] ?? 'reverted'
}

/** Returns whether the authorization is spent, once it can have no further effect that is not already processed. */
async function standingOf(
  services: JobServices,
  payableId: string,
  from: Address,
  nonce: Hex,
): Promise<'unspent' | 'spent' | 'undecided'> {
  const head = await commonHead(services)
  if (!(await isSpent(services, from, nonce, head))) return 'unspent'
  const to = confirmedAt(services, head)
  if (to === undefined || !(await isSpent(services, from, nonce, to))) return 'undecided'
  const { offeredAt } = await readPayable(services.db, payableId)
  const range = { since: offeredAt, to }
  const payments = await paymentsSeen(services, [nonce], range)
  for (const payment of payments) if (!(await isSettled(services, payment))) return 'undecided'
  await requireUseShown(services, { from, nonce }, to)
  return 'spent'
}
