import type { Hex } from 'viem'
import { transferAuthorizationTypedData } from '../protocol/authorization.ts'
import type { Pass } from './context.ts'
import type { PayoutAuthorization } from './store.ts'

/** How long an authorization of the hot wallet is valid. Another is signed under its nonce only after that. */
export const VALIDITY_SECONDS = 15n * 60n

/**
 * Returns, of the authorizations signed under a nonce that have not expired at confirmed depth, the one that is valid
 * longest: it may still be mined.
 */
export async function usableAuthorization(pass: Pass, nonce: Hex): Promise<PayoutAuthorization | undefined> {
  const signed = [...(await pass.store.payoutAuthorizations(nonce)), ...pass.signedAuthorizations.under(nonce)]
  return signed
    .filter(({ validBefore }) => validBefore > pass.head.confirmed.timestamp)
    .reduce<PayoutAuthorization | undefined>(
      (longest, next) => (longest && longest.validBefore >= next.validBefore ? longest : next),
      undefined,
    )
}

/** Returns whether the file was restored so recently that authorizations missing from it may still be used. */
export function isRestoredRecently({ signsFrom, head }: Pass): boolean {
  return head.confirmed.timestamp < signsFrom
}

/**
 * Records an authorization in the process and then on file: both must have it before it is used. Returns false if it
 * would exceed the daily limit for payees; then nothing is recorded on file.
 */
export async function recordAuthorization(pass: Pass, authorization: PayoutAuthorization): Promise<boolean> {
  const { store, limits, head, signedAuthorizations } = pass
  const { leg, nonce, amountMicros } = authorization
  const now = head.latest.timestamp
  if (leg === 'payee' && signedAuthorizations.payeeMicros(nonce, now) + amountMicros > limits.dailyPayoutMicros)
    return false
  if (!(await store.recordPayoutAuthorization(authorization, limits.dailyPayoutMicros))) return false
  signedAuthorizations.add(authorization, now)
  return true
}

/** Signs an authorization for an outflow of the hot wallet. It must be recorded before it is used. */
export async function signAuthorization(
  { at, head, hotWallet, domain }: Pass,
  leaving: Pick<PayoutAuthorization, 'nonce' | 'leg' | 'recipient' | 'amountMicros'>,
): Promise<PayoutAuthorization> {
  const { nonce, recipient: to, amountMicros: value } = leaving
  const validBefore = head.latest.timestamp + VALIDITY_SECONDS
  const message = { from: at.hotWallet, to, value, validAfter: 0n, validBefore, nonce }
  const signature = await hotWallet.signTypedData(transferAuthorizationTypedData(domain, message))
  return { ...leaving, validBefore, signature }
}
