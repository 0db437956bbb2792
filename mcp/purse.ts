import type { UrnObject } from '../protocol/urn.ts'
import { type AppealIntent, type AppealOffer, appealAuthorizationFor, signedAppealFee } from '../sdk/appeal.ts'
import { signedAuthorizationFor, type TypedDataSigner } from '../sdk/authorization.ts'
import { authorizationFor, type PaymentMarket, type PaymentOffer } from '../sdk/offer.ts'
import type { Spending } from './spending.ts'

/** A wallet that the server holds, within limits. */
export interface Purse {
  address: string
  spending: Spending
  /**
   * Signs what a 402 asks for, as it was agreed on, and counts it. Throws an OfferRefused for anything else and a
   * SpendLimit beyond the limits: then nothing was signed.
   */
  pay: (offer: PaymentOffer, agreed: { price: string; seller: UrnObject; nowSeconds: number }) => Promise<string>
  /** The same for the fee of an appeal. */
  payAppeal: (offer: AppealOffer, intent: Omit<AppealIntent, 'windowSeconds'>) => Promise<string>
}

/** The market that the wallet's owner trusts. */
interface TrustedMarket extends PaymentMarket {
  /** How long the fee of an appeal may be paid: its `appeal_payment_seconds`. */
  appealPaymentSeconds: number
}

/** Returns a purse of a wallet, for the market that its owner trusts. */
export function openPurse(signer: TypedDataSigner, market: TrustedMarket, spending: Spending): Purse {
  return {
    address: signer.address,
    spending,
    async pay(offer, agreed) {
      const { value } = authorizationFor(offer, signer.address, market, agreed)
      spending.count(value)
      return signedAuthorizationFor(offer, signer, market, agreed)
    },
    async payAppeal(offer, agreed) {
      const intent = { ...agreed, windowSeconds: market.appealPaymentSeconds }
      const { value } = appealAuthorizationFor(offer, signer.address, market, intent)
      spending.count(value)
      return signedAppealFee(offer, signer, market, intent)
    },
  }
}
