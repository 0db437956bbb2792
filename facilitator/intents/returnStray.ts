import { encodeFunctionData } from 'viem'
import { escrowAbi } from '../../protocol/abi/escrow.ts'
import type { IntentOf } from '../../protocol/intents.ts'
import { holdId } from '../../protocol/terms.ts'
import type { Pass } from '../context.ts'
import { confirmed, type Decision, failed, refused, send, wait } from '../decision.ts'
import { readHoldState } from '../holdState.ts'
import { checkPayment } from '../payments.ts'

/** A payment to the escrow that is for no hold, back to its sender. Its events are checked here, as for an adoption. */
export async function decideReturnStray(pass: Pass, { payment }: IntentOf<'return_stray'>): Promise<Decision> {
  const { at } = pass
  const { state, isFinal } = await readHoldState(pass, holdId(payment.nonce, payment.from))
  if (state !== 'none') {
    if (!isFinal) return wait('hold_not_final')
    return state === 'returned' ? confirmed() : failed('payment_claimed')
  }
  if (await pass.store.arePayoutsStopped('escrow')) return wait('releases_stopped')
  const evidence = await checkPayment(pass, payment, at.escrow)
  if (evidence === 'unknown') return wait('payment_unseen')
  if (evidence === 'false') return refused('evidence_mismatch')
  const args = [payment.from, payment.nonce, payment.amount] as const
  const data = encodeFunctionData({ abi: escrowAbi, functionName: 'returnStray', args })
  return send({ signer: 'resolver', to: at.escrow, data, validBefore: null })
}
