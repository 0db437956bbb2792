import { isAddressEqual } from 'viem'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import type { FiledPayment, Files } from './files.ts'
import { type Fault, fault } from './reasons.ts'

/** The answer for a payment that is on file for no order. */
export const NOT_ON_FILE: Fault = fault(
  'payment_not_on_file',
  'No order waits for this payment. It is put on file by the fund call of its order.',
)

/**
 * Returns the payment on file with exactly this authorization; the signature may be another one over the same
 * message.
 */
export async function findOnFile(files: Files, presented: SignedAuthorization): Promise<FiledPayment | undefined> {
  const filed = await files.find(presented)
  return filed.find(({ intent: { authorization } }) => isSame(authorization, presented))
}

function isSame(one: SignedAuthorization, other: SignedAuthorization): boolean {
  return (
    isAddressEqual(one.from, other.from) &&
    isAddressEqual(one.to, other.to) &&
    one.value === other.value &&
    one.validAfter === other.validAfter &&
    one.validBefore === other.validBefore &&
    one.nonce.toLowerCase() === other.nonce.toLowerCase()
  )
}
