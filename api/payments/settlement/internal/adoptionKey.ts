import type { PaymentIdentity } from '../../escrow/payerAttribution.ts'

/** Returns the key of the intent to adopt a payment. */
export function adoptionKey({ payer, nonce }: PaymentIdentity): string {
  return `adopt:${payer}:${nonce}`
}
