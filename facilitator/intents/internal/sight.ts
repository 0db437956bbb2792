import type { IntentOf } from '../../../protocol/payments/intents.ts'
import { payoutNonce } from '../../../protocol/payments/nonces.ts'
import { holdId, termsHash } from '../../../protocol/payments/terms.ts'
import { confirmed, type Ending, wait } from '../../context/decision.ts'
import { isSpent } from '../../evidence/authorizationUsage.ts'
import { readHoldState } from '../../evidence/holdState.ts'
import type { Pass } from '../../evidence/pass.ts'
import { checkPayment } from '../../evidence/payments.ts'
import { distributionOf, legOf } from '../../proof/distribution.ts'
import { announce } from '../../proof/unproved.ts'

type Announced = IntentOf<'sight'>['distribution']

/**
 * Records the first sight of the distribution that is made if nobody objects, so that its delay runs beside
 * the buyer's window. It ends as confirmed without a transaction, also where there is nothing to distribute.
 */
export async function decideSight(pass: Pass, { distribution }: IntentOf<'sight'>): Promise<Ending> {
  if (pass.limits.releaseDelaySeconds === 0n) return confirmed()
  const isHeld = await readIsHeld(pass, distribution)
  if (isHeld === 'unknown') return wait('payment_unseen')
  if (!isHeld) return confirmed()
  if (pass.head.isBehind) return wait('head_behind')
  const { at } = pass
  await announce(pass, distribution.kind === 'release' ? distributionOf(at, distribution) : legOf(at, distribution))
  return confirmed()
}

/** Returns whether the chain shows the payment, not distributed yet. */
async function readIsHeld(pass: Pass, announced: Announced): Promise<boolean | 'unknown'> {
  const { at, head } = pass
  if (announced.kind === 'release') {
    const { state } = await readHoldState(pass, holdId(termsHash(at, announced.terms), announced.payer))
    return state === 'none' ? 'unknown' : state === 'held'
  }
  const { deposit, leg, amount } = announced
  if (amount > deposit.amount) return false
  if (await isSpent(pass, at.hotWallet, payoutNonce(at, deposit, leg), head.latest)) return false
  const payment = await checkPayment(pass, deposit, at.hotWallet)
  return payment === 'unknown' ? 'unknown' : payment !== 'false'
}
