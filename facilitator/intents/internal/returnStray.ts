import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { holdId } from '../../../protocol/payments/terms.ts'
import { confirmed, type Decision, failed, wait } from '../../context/decision.ts'
import { readHoldState } from '../../evidence/holdState.ts'
import type { Pass } from '../../evidence/pass.ts'
import { decideStray, returnOf } from './strays.ts'

/**
 * Returns a payment to the escrow that belongs to no hold to its sender: it is announced, and returned after
 * the delay.
 */
export async function decideReturnStray(
  pass: Pass,
  { payment }: IntentOf<'return_stray'>,
  wasAnnounced: boolean,
): Promise<Decision> {
  const { state, isFinal } = await readHoldState(pass, holdId(payment.nonce, payment.from))
  if (state !== 'none') {
    if (!isFinal) return wait('hold_not_final')
    return state === 'returned' ? confirmed() : failed('payment_claimed')
  }
  if (await pass.store.arePayoutsStopped('escrow')) return wait('releases_stopped')
  return decideStray(pass, returnOf(payment), wasAnnounced)
}
