import type { UrnObject } from '../protocol/encoding/urn.ts'
import type { Authorization } from '../protocol/payments/authorization.ts'
import { type AppealIntent, type AppealOffer, appealAuthorizationFor, signedAppealFee } from '../sdk/appeal.ts'
import { signedAuthorizationFor, type TypedDataSigner } from '../sdk/authorization.ts'
import type { Market } from '../sdk/market.ts'
import { authorizationFor, type PaymentMarket, type PaymentOffer } from '../sdk/offer.ts'
import type { KnownPayees } from '../sdk/payees.ts'
import { type SettledOrder, type SettlementIntent, signAsParty } from '../sdk/settlement.ts'
import type { Spending } from './spending.ts'

/** A wallet that the server holds, within limits. */
export interface Purse {
  address: string
  /** The market that the wallet's owner trusts. */
  market: PaymentMarket
  spending: Spending
  /**
   * Counts and signs the payment that a 402 asks for, as agreed. Runs `check` first if the payment was not
   * counted before. Throws any error of `check`, an OfferRefused for other terms, and a SpendLimit beyond the
   * limits: then nothing was signed.
   */
  pay: (
    offer: PaymentOffer,
    agreed: { price: string; seller: UrnObject; nowSeconds: number },
    check: Check,
  ) => Promise<string>
  /** Does the same for the fee of an appeal. */
  payAppeal: (offer: AppealOffer, intent: Omit<AppealIntent, 'windowSeconds'>, check: Check) => Promise<string>
  /** Signs the distribution of an order's payment and sends the signature, if this wallet paid or is paid. */
  settle: (client: Market, order: SettledOrder, intent: SettlementIntent) => Promise<void>
  /**
   * Takes what the escrow owes this wallet out to it. `txHash` is null if it owes nothing. Only where the
   * server has a node. Throws viem's errors.
   */
  withdraw?: () => Promise<{ withdrawnMicros: bigint; txHash: string | null }>
  /**
   * Takes the expired hold of an order that this wallet paid back to it. Only where the server has a node.
   * Throws an EscrowRefused, and viem's errors.
   */
  reclaim?: (order: string, depositTx: string) => Promise<{ reclaimedMicros: bigint; reclaimTx: string }>
}

/** What a wallet does on the chain itself, where the server has a node. */
export type OnChain = Required<Pick<Purse, 'withdraw' | 'reclaim'>>

type Check = () => Promise<void>

/** The market that the wallet's owner trusts. */
interface TrustedMarket extends PaymentMarket {
  /** How long the fee of an appeal may be paid: its `appeal_payment_seconds`. */
  appealPaymentSeconds: number
}

/** Returns the purse of a wallet, for the market that its owner trusts. */
export function openPurse(
  signer: TypedDataSigner,
  market: TrustedMarket,
  spending: Spending,
  onChain?: OnChain,
  knownPayees?: KnownPayees,
): Purse {
  const known = knownPayees ? { knownPayees } : {}
  const count = async ({ value, nonce }: Authorization, check: Check) => {
    if (!spending.isCounted(nonce)) await check()
    spending.count(value, nonce)
  }
  return {
    address: signer.address,
    market,
    spending,
    ...onChain,
    async pay(offer, agreed, check) {
      const intent = { ...agreed, ...known }
      await count(authorizationFor(offer, signer.address, market, intent), check)
      return signedAuthorizationFor(offer, signer, market, intent)
    },
    async payAppeal(offer, agreed, check) {
      const intent = { ...agreed, windowSeconds: market.appealPaymentSeconds }
      await count(appealAuthorizationFor(offer, signer.address, market, intent), check)
      return signedAppealFee(offer, signer, market, intent)
    },
    // A seller knows the own wallet.
    settle: (client, order, intent) =>
      signAsParty(client, signer, order, market, { ...intent, ...(order.hold?.payer === signer.address ? known : {}) }),
  }
}
