import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import type { SignedAuthorization } from '../../protocol/payments/authorization.ts'
import type { IntentOf } from '../../protocol/payments/intents.ts'
import {
  type AuthorizationType,
  HOLD_TYPES,
  signedType,
  typeSignedByKey,
} from '../../protocol/payments/paymentSignature.ts'
import { holdId, termsHash } from '../../protocol/payments/terms.ts'
import { confirmed, type Decision, type Ending, failed, refused, wait } from '../context/decision.ts'
import { isSpent } from '../evidence/authorizationUsage.ts'
import { readHoldState } from '../evidence/holdState.ts'
import type { Pass } from '../evidence/pass.ts'
import { submit } from '../evidence/submission.ts'

/**
 * Decides a payer's authorization into a hold. Whichever account submits it, the hold is what counts. An
 * authorization that was spent without a hold (submitted to the token directly, or cancelled) fails as
 * `authorization_used`: the chain's events show whether there is a payment to adopt.
 */
export async function decideFund(pass: Pass, { terms, authorization }: IntentOf<'fund'>): Promise<Decision> {
  const { at } = pass
  const { from, to, value, validAfter, validBefore, nonce, signature } = authorization
  if (nonce !== termsHash(at, terms) || !isAddressEqual(to, at.escrow) || value !== terms.amount) {
    return refused('terms_mismatch')
  }
  // The contract accepts it up to and including the second `fundBy`.
  const fundingEnds = BigInt(terms.fundBy) + 1n
  const functionName = (await typeOf(pass, authorization)) === 'receive' ? 'fundWithReceive' : 'fund'
  return submit(pass, { payer: from, signature }, (accepted) => ({
    to: at.escrow,
    data: encodeFunctionData({
      abi: escrowAbi,
      functionName,
      args: [terms, from, validAfter, validBefore, accepted],
    }),
    isCharged: true,
    validBefore: validBefore < fundingEnds ? validBefore : fundingEnds,
    explain: () => explainRefusal(pass, { from, nonce, validBefore }),
  }))
}

/**
 * Returns the type of authorization that the payer signed, which no row states. An authorization that neither
 * its key nor its contract signed is submitted as a transfer; the token's refusal ends the intent.
 */
async function typeOf(
  { client, domain, walletFactories: factories }: Pass,
  authorization: SignedAuthorization,
): Promise<AuthorizationType> {
  const byKey = await typeSignedByKey(domain, authorization, HOLD_TYPES)
  return byKey ?? (await signedType(client, domain, authorization, { types: HOLD_TYPES, factories })) ?? 'transfer'
}

/** Explains a refusal: the hold exists, or the authorization was spent without one, or has expired. */
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
