import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { holdId, termsHash } from '../../../protocol/payments/terms.ts'
import { confirmed, type Decision, failed, refused, wait } from '../../context/decision.ts'
import { readHoldState } from '../../evidence/holdState.ts'
import type { Pass } from '../../evidence/pass.ts'
import { adoption, decideStray } from './strays.ts'

/**
 * A hold for a payment that went straight to the token, in two transactions: announced, and adopted after the
 * delay.
 */
export async function decideAdopt(
  pass: Pass,
  { terms, payment }: IntentOf<'adopt'>,
  wasAnnounced: boolean,
): Promise<Decision> {
  if (payment.nonce !== termsHash(pass.at, terms) || payment.amount !== terms.amount) return refused('terms_mismatch')
  const { state, isFinal } = await readHoldState(pass, holdId(payment.nonce, payment.from))
  if (state !== 'none') {
    if (!isFinal) return wait('hold_not_final')
    return state === 'returned' ? failed('payment_returned') : confirmed()
  }
  return decideStray(pass, adoption(terms, payment), wasAnnounced)
}
