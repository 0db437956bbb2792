import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { escrowAbi } from '../../protocol/abi/escrow.ts'
import type { IntentOf } from '../../protocol/intents.ts'
import { holdId, termsHash } from '../../protocol/terms.ts'
import type { Pass } from '../context.ts'
import { confirmed, type Decision, type Ending, failed, refused, wait } from '../decision.ts'
import { readHoldState } from '../holdState.ts'
import { submit } from '../submission.ts'
import { isSpent } from '../uses.ts'

/**
 * A payer's authorization into a hold. Whoever submitted it, the hold is what counts. An authorization that was spent
 * without one (taken straight to the token, or cancelled) fails as `authorization_used`: whether there is a payment to
 * adopt is for the chain's events to say.
 */
export async function decideFund(pass: Pass, { terms, authorization }: IntentOf<'fund'>): Promise<Decision> {
  const { at } = pass
  const { from, to, value, validAfter, validBefore, nonce, signature } = authorization
  if (nonce !== termsHash(at, terms) || !isAddressEqual(to, at.escrow) || value !== terms.amount) {
    return refused('terms_mismatch')
  }
  // The contract takes it up to and including the second `fundBy`.
  const fundingEnds = BigInt(terms.fundBy) + 1n
  return submit(pass, { payer: from, signature }, (accepted) => ({
    to: at.escrow,
    data: encodeFunctionData({
      abi: escrowAbi,
      functionName: 'fund',
      args: [terms, from, validAfter, validBefore, accepted],
    }),
    isCharged: true,
    validBefore: validBefore < fundingEnds ? validBefore : fundingEnds,
    explain: () => explainRefusal(pass, { from, nonce, validBefore }),
  }))
}

/** What a refusal means: the hold is there, or the authorization was spent without one, or is over. */
async function explainRefusal(
  pass: Pass,
  { from, nonce, validBefore }: { from: Address; nonce: Hex; validBefore: bigint },
): Promise<Ending | undefined> {
  const { head } = pass
  const { state, isFinal } = await readHoldState(pass, holdId(nonce, from))
  if (state !== 'none') {
    if (!isFinal) return wait('hold_not_final')
    return state === 'returned' ? failed('authorization_used') : confirmed()
  }
  if (await isSpent(pass, from, nonce, head.latest)) {
    const isFinallySpent = await isSpent(pass, from, nonce, head.confirmed)
    return isFinallySpent ? failed('authorization_used') : wait('authorization_not_final')
  }
  return head.confirmed.timestamp >= validBefore ? failed('authorization_expired') : undefined
}
