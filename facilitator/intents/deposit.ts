import { encodeFunctionData, isAddressEqual } from 'viem'
import { tokenAbi } from '../../protocol/generated/token.ts'
import type { SignedAuthorization } from '../../protocol/payments/authorization.ts'
import type { IntentOf } from '../../protocol/payments/intents.ts'
import { confirmed, type Decision, type Ending, failed, refused, wait } from '../context/decision.ts'
import { isSpent } from '../evidence/authorizationUsage.ts'
import type { Pass } from '../evidence/pass.ts'
import { findPayment } from '../evidence/payments.ts'
import { submit } from '../evidence/submission.ts'

/**
 * The latest expiry that our file can store (unix seconds). No chain reaches a later one, so later counts as
 * none.
 */
const LATEST_END = 2n ** 63n - 1n

/**
 * Decides a payer's authorization into the hot wallet. Any account may submit it: the token moves the money
 * once.
 */
export async function decideDeposit(pass: Pass, { authorization }: IntentOf<'deposit'>): Promise<Decision> {
  const { at } = pass
  const { from, to, value, validAfter, validBefore, nonce, signature } = authorization
  if (!isAddressEqual(to, at.hotWallet)) return refused('recipient_mismatch')
  return submit(pass, { payer: from, signature }, (accepted) => ({
    to: at.token,
    data: encodeFunctionData({
      abi: tokenAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, accepted],
    }),
    isCharged: true,
    validBefore: validBefore > LATEST_END ? null : validBefore,
    explain: () => explainRefusal(pass, authorization),
  }))
}

/** Explains a refusal: the authorization paid us, was spent in another way, or has expired. */
async function explainRefusal(
  pass: Pass,
  { from, to, value, validBefore, nonce }: SignedAuthorization,
): Promise<Ending | undefined> {
  const { head } = pass
  if (await isSpent(pass, from, nonce, head.latest)) {
    if (!(await isSpent(pass, from, nonce, head.confirmed))) return wait('authorization_not_final')
    const payment = await findPayment(pass, from, nonce)
    const isOurs = payment && isAddressEqual(payment.to, to) && payment.amountMicros === value
    return isOurs ? confirmed(payment.txHash) : failed('authorization_used')
  }
  return head.confirmed.timestamp >= validBefore ? failed('authorization_expired') : undefined
}
