import { type Ending, wait } from '../context/decision.ts'
import type { Pass } from '../evidence/pass.ts'
import { checkPayment } from '../evidence/payments.ts'
import type { Distribution } from './distribution.ts'
import { isProved } from './internal/proof.ts'
import { waitForUnproved } from './unproved.ts'

/**
 * Returns why a payment is not distributed in this way now, or undefined. A distribution without proof is
 * made once its delay has passed, or before, up to a day's sum. If the intent claims that a window has
 * elapsed, that much time must have passed on the chain since the payment: this is a limit, not a proof.
 */
export async function objectionToDistribution(pass: Pass, distribution: Distribution): Promise<Ending | undefined> {
  const open = await openWindow(pass, distribution)
  if (open) return open
  if (pass.limits.releaseDelaySeconds === 0n || isReclaimable(pass, distribution)) return undefined
  if (await isProved(pass, distribution)) return undefined
  return waitForUnproved(pass, distribution)
}

/** Returns whether it only gives the payer what the contract lets the payer take back already. */
function isReclaimable({ head }: Pass, { toOthers, expiry }: Distribution): boolean {
  return expiry !== undefined && toOthers === 0n && expiry < head.earlierTime
}

async function openWindow(
  pass: Pass,
  { holder, payer, nonce, amount, evidence }: Distribution,
): Promise<Ending | undefined> {
  if (!evidence?.elapsed) return undefined
  const { seconds, txHash } = evidence.elapsed
  const payment = await checkPayment(pass, { from: payer, nonce, amount, txHash }, holder)
  if (payment === 'unknown') return wait('payment_unseen')
  // An adopted payment was made in another transaction. Without a bound the distribution is still one without
  // proof.
  if (payment === 'false') return undefined
  const { timestamp } = await pass.client.getBlock({ blockNumber: payment.blockNumber })
  const end = timestamp + BigInt(seconds)
  return pass.head.earlierTime < end ? wait('window_open', end) : undefined
}
