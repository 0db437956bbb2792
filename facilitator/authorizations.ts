import type { Hex } from 'viem'
import { transferAuthorizationTypedData } from '../protocol/authorization.ts'
import type { Pass } from './context.ts'
import type { PayoutAuthorization } from './store.ts'

/** How long an authorization of the hot wallet can be used: after it, and only then, another is signed under its nonce. */
const VALIDITY_SECONDS = 15n * 60n

/** What is on file under a nonce and not past its end at confirmed depth: it may still be mined. */
export async function usableAuthorization({ store, head }: Pass, nonce: Hex): Promise<PayoutAuthorization | undefined> {
  const [longest] = await store.payoutAuthorizations(nonce)
  return longest && longest.validBefore > head.confirmed.timestamp ? longest : undefined
}

/** Signs for what is to leave the hot wallet. It must be on file before it is used. */
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
