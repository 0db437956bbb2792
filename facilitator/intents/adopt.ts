import { encodeFunctionData } from 'viem'
import { escrowAbi } from '../../protocol/abi/escrow.ts'
import type { IntentOf } from '../../protocol/intents.ts'
import { holdId, termsHash } from '../../protocol/terms.ts'
import type { Pass } from '../context.ts'
import { confirmed, type Decision, failed, refused, send, wait } from '../decision.ts'
import { readHoldState } from '../holdState.ts'
import { checkPayment } from '../payments.ts'

/**
 * A hold for a payment that went straight to the token. The contract cannot see where the money of a spent
 * authorization went, so the payment's events are checked here, at our own node.
 */
export async function decideAdopt(pass: Pass, { terms, payment }: IntentOf<'adopt'>): Promise<Decision> {
  const { at } = pass
  if (payment.nonce !== termsHash(at, terms) || payment.amount !== terms.amount) return refused('terms_mismatch')
  const { state, isFinal } = await readHoldState(pass, holdId(payment.nonce, payment.from))
  if (state !== 'none') {
    if (!isFinal) return wait('hold_not_final')
    return state === 'returned' ? failed('payment_returned') : confirmed()
  }
  const evidence = await checkPayment(pass, payment, at.escrow)
  if (evidence === 'unknown') return wait('payment_unseen')
  if (evidence === 'false') return refused('evidence_mismatch')
  const data = encodeFunctionData({ abi: escrowAbi, functionName: 'adopt', args: [terms, payment.from] })
  return send({ signer: 'resolver', to: at.escrow, data, validBefore: null })
}
