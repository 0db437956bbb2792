import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { parseAmount } from '../protocol/encoding/amounts.ts'
import { parseUrn, type UrnObject, urnString } from '../protocol/encoding/urn.ts'
import { settlementTypedData } from '../protocol/payments/settlement.ts'
import { splitHold } from '../protocol/payments/split.ts'
import type { TypedDataSigner } from './authorization.ts'
import type { Market } from './market.ts'
import type { PaymentMarket } from './offer.ts'
import { OfferRefused } from './offerRefused.ts'
import { type ExpectedPayee, keepPayee, requireKnownPayee } from './payees.ts'

const DEFAULT_FEE_BPS = 1_000
/**
 * How long a signature is valid: a month, although it is used at once, because the seller may have no wallet
 * yet.
 */
const DEFAULT_VALID_SECONDS = 30 * 86_400

/** The part of an order that its settlement is signed from. */
export interface SettledOrder {
  urn: UrnObject
  seller_urn?: UrnObject | undefined
  escrow_mode: 'custodied' | 'contract'
  hold: {
    status: 'held' | 'released'
    amount: string
    payer: string
    nonce: string
    payee: string | null
    /** The wallet that the seller is paid to now, zero for none yet. Only while it is held. */
    paid_to?: string | undefined
    holder: string
    fee_bps: number
  } | null
}

/** The distribution of an order's payment that a party wants. */
export interface SettlementIntent extends ExpectedPayee {
  /** The amount that goes back to the payer, in wire form: zero to accept, the whole price to concede. */
  refund: string
  /** How long the signature is valid, in seconds; 30 days by default. */
  validSeconds?: number
  /** The present time in unix seconds, if it is not this machine's. */
  nowSeconds?: number
}

/**
 * Returns the typed data that a party's wallet signs to agree to a distribution (EIP-712), for a signer of
 * any kind. It names the order and the wallet that is paid, and the facilitator checks that the payment is
 * that order's, so the signature moves no other payment and pays nobody else. Throws an OfferRefused for a
 * holder other than the market's own, for a fee above the maximum, for another payee than `intent.payee`, and
 * if nothing is held; a PayeeChanged for a payee that differs from `intent.knownPayees`.
 */
export function settlementToSign(order: SettledOrder, market: PaymentMarket, intent: SettlementIntent) {
  const { hold, escrow_mode } = order
  const orderId = parseUrn('order', order.urn)
  if (orderId === undefined) throw new OfferRefused('order', 'it names no order')
  if (hold?.status !== 'held') throw new OfferRefused('order', 'nothing is held for it')
  const holder = escrow_mode === 'contract' ? market.escrow : market.hotWallet
  if (!isAddressEqual(hold.holder as Address, holder))
    throw new OfferRefused('recipient', `it is held by ${hold.holder}`)
  const [amount, refund] = [parseAmount(hold.amount), parseAmount(intent.refund)]
  if (amount === undefined || refund === undefined || refund > amount)
    throw new OfferRefused('amount', `a refund of ${intent.refund} is not within ${hold.amount}`)
  const { maxFeeBps = DEFAULT_FEE_BPS } = market
  if (hold.fee_bps < 0 || hold.fee_bps > maxFeeBps)
    throw new OfferRefused(
      'fee',
      `it is ${hold.fee_bps} hundredths of a percent, and at most ${maxFeeBps} was agreed on`,
    )
  const { payeeMicros: payment } = splitHold(amount, refund, hold.fee_bps)
  const nowSeconds = intent.nowSeconds ?? Math.floor(Date.now() / 1_000)
  const validBefore = BigInt(nowSeconds + (intent.validSeconds ?? DEFAULT_VALID_SECONDS))
  const payer = hold.payer as Address
  const nonce = hold.nonce as Hex
  const payee = payeeOf(hold, intent)
  if (isChosen(order, payee, payment)) requireKnownPayee(order.seller_urn, payee, intent)
  const settlement = { order: urnString('order', orderId), payer, nonce, amount, refund, payment, payee, validBefore }
  return settlementTypedData({ chainId: market.chainId, holder }, settlement)
}

/** Returns the wallet that the signature names. */
function payeeOf(
  { payee, paid_to }: NonNullable<SettledOrder['hold']>,
  { payee: expected }: SettlementIntent,
): Address {
  // In contract mode the terms fix the wallet.
  const paid = (payee ?? paid_to ?? zeroAddress) as Address
  if (expected && !isAddressEqual(expected, paid))
    throw new OfferRefused('payee', `the seller would be paid to ${paid}, and not to ${expected}`)
  return paid
}

/**
 * Returns whether a signature decides that this wallet is paid. In contract mode the payment has decided it.
 * A message that names the zero address, or nothing to pay, pays no wallet.
 */
function isChosen({ escrow_mode }: SettledOrder, payee: Address, payment: bigint): boolean {
  return escrow_mode === 'custodied' && payment > 0n && payee !== zeroAddress
}

/**
 * Signs the distribution of an order's payment, with the wallet that paid or is paid, and sends the
 * signature. Call it before you accept or concede the order, or propose or accept a split. With the signature
 * the payment goes at once, whatever its amount. Throws as `settlementToSign`.
 */
export async function signSettlement(
  client: Pick<Market, 'call'>,
  signer: TypedDataSigner,
  order: SettledOrder,
  market: PaymentMarket,
  intent: SettlementIntent,
): Promise<void> {
  const data = settlementToSign(order, market, intent)
  const signature = await signer.signTypedData(data)
  const { message } = data
  if (isChosen(order, message.payee, message.payment)) keepPayee(order.seller_urn, message.payee, intent)
  await client.call('signSettlement', {
    params: { urn: message.order },
    body: {
      ...{ refund: intent.refund, payee: message.payee, wallet: signer.address, signature },
      valid_before: Number(message.validBefore),
    },
  })
}

/**
 * Signs a settlement, as `signSettlement`, if the wallet is the one that paid or the one that the hold pays.
 * Otherwise, or if nothing is held, it does nothing, and the caller's next action has no proof.
 */
export async function signAsParty(...given: Parameters<typeof signSettlement>): Promise<void> {
  const [, signer, { hold }] = given
  const parties = hold?.status === 'held' ? [hold.payer, hold.paid_to ?? hold.payee] : []
  if (parties.some((wallet) => wallet !== null && isAddressEqual(wallet as Address, signer.address)))
    await signSettlement(...given)
}
