import { type Ending, wait } from '../context/decision.ts'
import type { Pass } from '../evidence/pass.ts'
import { checkPayment } from '../evidence/payments.ts'
import type { Distribution } from './distribution.ts'
import { isProved } from './proof.ts'
import { waitForUnproved } from './unproved.ts'

/**
 * Returns why a payment is not distributed so now, or undefined: what nothing proves goes up to a day's sum at once, and otherwise
 * after a delay. A window that is said to have elapsed must have, by the chain, since the payment: that bounds, and proves nothing.
 */
export async function objectionToDistribution(pass: Pass, distribution: Distribution): Promise<Ending | undefined> {
  const open = await openWindow(pass, distribution)
  if (open) return open
  if (pass.limits.releaseDelaySeconds === 0n || (await isProved(pass, distribution))) return undefined
  return waitForUnproved(pass, distribution)
}

async function openWindow(
  pass: Pass,
  { holder, payer, nonce, amount, evidence }: Distribution,
): Promise<Ending | undefined> {
  if (!evidence?.elapsed) return undefined
  const { seconds, txHash } = evidence.elapsed
  const payment = await checkPayment(pass, { from: payer, nonce, amount, txHash }, holder)
  if (payment === 'unknown') return wait('payment_unseen')
  // An adopted payment was made in another transaction. Without a bound the distribution is still one without proof.
  if (payment === 'false') return undefined
  const { timestamp } = await pass.client.getBlock({ blockNumber: payment.blockNumber })
  const end = timestamp + BigInt(seconds)
  return pass.head.confirmed.timestamp < end ? wait('window_open', end) : undefined
}
