import type { Hex } from 'viem'
import { transferAuthorizationTypedData } from '../../protocol/payments/authorization.ts'
import type { PayoutAuthorization } from '../context/records.ts'
import type { Pass } from '../evidence/pass.ts'
import { VALIDITY_SECONDS } from '../file/signedAuthorizations.ts'

/**
 * Returns, of the authorizations signed under a nonce that have not expired at confirmed depth, the one that
 * is valid longest: it may still be mined.
 */
export function usableAuthorization({ signedAuthorizations, head }: Pass, nonce: Hex): PayoutAuthorization | undefined {
  return signedAuthorizations
    .under(nonce)
    .filter(({ validBefore }) => validBefore > head.earlierTime)
    .reduce<PayoutAuthorization | undefined>(
      (longest, next) => (longest && longest.validBefore >= next.validBefore ? longest : next),
      undefined,
    )
}

/**
 * Returns whether the file was restored so recently that authorizations missing from it may still be used.
 */
export function isRestoredRecently({ signsFrom, head }: Pass): boolean {
  return head.earlierTime < signsFrom
}

/** Signs an authorization for an outflow of the hot wallet. It must be recorded before it is used. */
export async function signAuthorization(
  { at, head, hotWallet, domain }: Pass,
  leaving: Pick<PayoutAuthorization, 'nonce' | 'leg' | 'recipient' | 'amountMicros'>,
): Promise<PayoutAuthorization> {
  const { nonce, recipient: to, amountMicros: value } = leaving
  const validBefore = head.laterTime + VALIDITY_SECONDS
  const message = { from: at.hotWallet, to, value, validAfter: 0n, validBefore, nonce }
  const signature = await hotWallet.signTypedData(transferAuthorizationTypedData(domain, message))
  return { ...leaving, validBefore, signature }
}
