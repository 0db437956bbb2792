import { type Address, type Hex, isAddressEqual } from 'viem'
import type { IntentOf, ReleaseEvidence } from '../../protocol/payments/intents.ts'
import { custodiedNonce, namesPurpose, type Sale } from '../../protocol/payments/nonces.ts'
import { holdId, orderKey, termsHash } from '../../protocol/payments/terms.ts'
import type { Location } from '../context/chain.ts'
import type { Parties } from '../context/records.ts'

/** The distribution of a payment that an intent requests, and the evidence that the intent gives for it. */
export interface Distribution {
  /** The subject of the delay: one outcome of one hold, or one leg of one deposit. */
  subject: string
  /** The escrow contract, or the hot wallet. */
  holder: Address
  payer: Address
  nonce: Hex
  amount: bigint
  /** The amounts that this intent pays to the payer and to all others. */
  toPayer: bigint
  toOthers: bigint
  /** Undefined if there is no evidence, or if it names another order or other amounts than the intent. */
  evidence: ReleaseEvidence | undefined
  /** The seller's wallet, as the chain names it. Undefined in custody. */
  payee: Address | undefined
  /** The seller and its owner, as the payer signed for them in custody. */
  seller: Sale | undefined
  /** Who counts as its parties in the day's sum. */
  parties: Parties
  /** From this time on (unix seconds) the payer can take back the whole by itself. Undefined in custody. */
  expiry: bigint | undefined
  /** The wallet of the seller's owner that this intent pays in custody. */
  paidWallet: Address | undefined
}

/** Returns the distribution that a release makes. */
export function distributionOf(
  at: Location,
  { terms, payer, recipients, amounts, evidence }: IntentOf<'release'>,
): Distribution {
  const nonce = termsHash(at, terms)
  const creditOf = (account: Address) =>
    recipients.reduce((sum, to, leg) => (isAddressEqual(to, account) ? sum + (amounts[leg] ?? 0n) : sum), 0n)
  const [toPayer, payment] = [creditOf(payer), creditOf(terms.payee)]
  const isOfThis =
    evidence &&
    orderKey(evidence.orderId) === terms.order &&
    evidence.refund === toPayer &&
    evidence.payment === payment
  return {
    subject: `release ${holdId(nonce, payer)} ${recipients.map((to, leg) => `${to}:${amounts[leg]}`).join(' ')}`,
    ...{ holder: at.escrow, payer, nonce, amount: terms.amount, toPayer, toOthers: terms.amount - toPayer },
    ...{ evidence: isOfThis ? evidence : undefined, payee: terms.payee, seller: undefined, paidWallet: undefined },
    ...{ parties: { payer: payer.toLowerCase(), payee: terms.payee.toLowerCase() }, expiry: BigInt(terms.expiry) },
  }
}

/** Returns the distribution that one leg of a payout makes. */
export function legOf(at: Location, { deposit, leg, to, amount, sale, evidence }: IntentOf<'payout'>): Distribution {
  const { from: payer, nonce } = deposit
  // A deposit whose nonce names no sale is tied to no order.
  const isSold = sale !== undefined && namesPurpose(nonce) && custodiedNonce(at, sale, deposit.amount) === nonce
  // No evidence names another recipient of a refund than the payer.
  const isElsewhere = leg === 'payer' && !isAddressEqual(to, payer)
  const isOfThis =
    isSold &&
    !isElsewhere &&
    evidence?.orderId === sale.orderId &&
    (leg === 'payer' ? evidence.refund : evidence.payment) === amount
  return {
    subject: `payout ${payer} ${nonce} ${leg} ${to}:${amount}`,
    ...{ holder: at.hotWallet, payer, nonce, amount: deposit.amount },
    ...(leg === 'payer' ? { toPayer: amount, toOthers: 0n } : { toPayer: 0n, toOthers: amount }),
    ...{ evidence: isOfThis ? evidence : undefined, payee: undefined, expiry: undefined },
    parties: { payer: payer.toLowerCase(), payee: sale?.ownerId ?? '' },
    seller: isSold ? sale : undefined,
    paidWallet: leg === 'payee' ? to : undefined,
  }
}
