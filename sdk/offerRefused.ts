/** What is wrong with an offer: the member that contradicts the payer's configuration or intent. */
export type OfferFault =
  | 'network'
  | 'token'
  | 'recipient'
  | 'amount'
  | 'validity'
  | 'order'
  | 'seller'
  | 'payee'
  | 'fee'
  | 'expiry'
  | 'terms'
  | 'nonce'

/** The service asked for a signature over something other than what was agreed. Nothing was signed. */
export class OfferRefused extends Error {
  readonly fault: OfferFault

  constructor(fault: OfferFault, detail: string) {
    super(`the payment that is asked for is refused (${fault}): ${detail}`)
    this.name = 'OfferRefused'
    this.fault = fault
  }
}
