import { type Address, getAddress, type Hex, isAddress, isAddressEqual, isHex, zeroAddress } from 'viem'
import { parseAmount } from '../protocol/encoding/amounts.ts'
import { parseUrn, type UrnObject } from '../protocol/encoding/urn.ts'
import type { Authorization, TokenDomain } from '../protocol/payments/authorization.ts'
import { custodiedNonce, type Sale } from '../protocol/payments/nonces.ts'
import { orderKey, type Terms, termsHash } from '../protocol/payments/terms.ts'
import { type OfferFault, OfferRefused } from './offerRefused.ts'
import { type ExpectedPayee, requireKnownPayee } from './payees.ts'

const DEFAULT_WINDOW_SECONDS = 3_600
const DEFAULT_HOLD_SECONDS = 200 * 86_400
const DEFAULT_FEE_BPS = 1_000
// The service uses its own clock, and block timestamps are a little behind it.
const CLOCK_SKEW_SECONDS = 900

/**
 * The market that a payer trusts, from the payer's own configuration: a `GET /v1/config/public` that was
 * verified and kept (`paymentMarket`), or addresses from another source. Nothing in it may come from the
 * answer to be signed.
 */
export interface PaymentMarket {
  chainId: number
  token: Address
  /** The token's EIP-712 domain. */
  tokenName: { name: string; version: string }
  escrow: Address
  hotWallet: Address
  feeRecipient: Address
  /** The highest fee to sign for, in hundredths of a percent; the contract's cap by default. */
  maxFeeBps?: number
  /** How long a payment may be valid; an hour by default. */
  windowSeconds?: number
  /** How long a hold may last before its payer can reclaim it; 200 days by default. */
  holdSeconds?: number
}

/** The purchase that a payer intends to pay for. */
export interface PaymentIntent extends ExpectedPayee {
  /** The agreed price, in wire form. */
  price: string
  /**
   * The URN of the agent that was ordered from, if the payer knows it: no other may be paid out of custody.
   */
  seller?: UrnObject
  /** The present time in unix seconds, if it is not this machine's: a sandbox's clock can be moved. */
  nowSeconds?: number
}

/** The part of a 402 answer to an order (spec 2.6) that a signature needs. */
export interface PaymentOffer {
  order_urn: UrnObject
  token: string
  network: string
  amount: string
  recipient: string
  nonce: string
  valid_after: string
  valid_before: string
  escrow_mode: 'custodied' | 'contract'
  /** In custodied mode: the order and seller that the nonce names. */
  seller_urn?: UrnObject | undefined
  seller_owner_urn?: UrnObject | undefined
  /** In contract mode: the preimage of the nonce. */
  terms?: OfferedTerms | undefined
}

/** The terms of a hold on the wire. Times are unix seconds, as they are hashed. */
export interface OfferedTerms {
  order: string
  payee: string
  amount: string
  fee_recipient: string
  fee_bps: number
  fund_by: number
  expiry: number
}

/** The members of a public configuration that a payer keeps. */
interface PublicMarket {
  chain_id: number
  escrow_contract: string
  hot_wallet: string
  fee_recipient: string
  token: { address: string; eip712_domain: { name: string; version: string } }
  rules: { payment_window_seconds: number; hold_seconds: number }
}

/**
 * Returns the market of a configuration. Keep it: reading it again for each payment protects from nothing.
 * Throws viem's InvalidAddressError for an invalid address.
 */
export function paymentMarket(config: PublicMarket): PaymentMarket {
  const { name, version } = config.token.eip712_domain
  return {
    chainId: config.chain_id,
    token: getAddress(config.token.address),
    tokenName: { name, version },
    escrow: getAddress(config.escrow_contract),
    hotWallet: getAddress(config.hot_wallet),
    feeRecipient: getAddress(config.fee_recipient),
    windowSeconds: config.rules.payment_window_seconds,
    holdSeconds: config.rules.hold_seconds,
  }
}

/** Returns the EIP-712 domain of the market's token. */
export function tokenDomainOf({ tokenName, chainId, token }: PaymentMarket): TokenDomain {
  return { name: tokenName.name, version: tokenName.version, chainId, verifyingContract: getAddress(token) }
}

/**
 * Recomputes what a 402 asks a payer to sign, from the payer's own market and intent, and returns it as an
 * authorization. Throws an OfferRefused for another network, token, recipient, amount or validity, for terms
 * that were not agreed, and for a nonce that does not match them.
 */
export function authorizationFor(
  offer: PaymentOffer,
  from: Address,
  market: PaymentMarket,
  intent: PaymentIntent,
): Authorization {
  const refuse = (fault: OfferFault, detail: string): never => {
    throw new OfferRefused(fault, detail)
  }
  const to = offer.escrow_mode === 'contract' ? market.escrow : market.hotWallet
  checkPlace(offer, market, to)
  const value = parseAmount(offer.amount)
  if (value === undefined || value !== parseAmount(intent.price))
    return refuse('amount', `it is of ${offer.amount}, and ${intent.price} was agreed on`)
  const orderId = parseUrn('order', offer.order_urn)
  if (orderId === undefined) return refuse('order', 'it names no order')
  const order = orderKey(orderId)
  const { validAfter, validBefore } = validityOf(offer, market, intent)
  const nonce =
    offer.escrow_mode === 'contract'
      ? termsHash(market, termsOf(offer, { from, order, value, validBefore, market, intent }))
      : custodiedNonce(market, saleOf(offer, orderId, intent), value)
  if (String(offer.nonce).toLowerCase() !== nonce) refuse('nonce', 'it is not of this order')
  return { from, to: getAddress(to), value, validAfter, validBefore, nonce }
}

/** Throws an OfferRefused unless an offer is of the market's chain and token, and goes to this account. */
export function checkPlace(
  offer: Pick<PaymentOffer, 'network' | 'token' | 'recipient'>,
  market: PaymentMarket,
  to: Address,
): void {
  if (offer.network !== `eip155:${market.chainId}`) throw new OfferRefused('network', `it is of ${offer.network}`)
  if (!isSame(offer.token, market.token)) throw new OfferRefused('token', `it is of the token ${offer.token}`)
  if (!isSame(offer.recipient, to)) throw new OfferRefused('recipient', `it goes to ${offer.recipient}`)
}

/**
 * Returns the sale that a custodied payment is for. Throws an OfferRefused if it names none, or another
 * seller.
 */
function saleOf({ seller_urn, seller_owner_urn }: PaymentOffer, orderId: string, { seller }: PaymentIntent): Sale {
  const agentId = seller_urn && parseUrn('agent', seller_urn)
  const ownerId = seller_owner_urn && parseUrn('human', seller_owner_urn)
  if (!agentId || !ownerId) throw new OfferRefused('seller', 'it does not say who is to be paid')
  if (seller && parseUrn('agent', seller) !== agentId) throw new OfferRefused('seller', `it pays ${agentId}`)
  return { orderId, agentId, ownerId }
}

/**
 * Returns the validity, if it has begun and ends within the market's window from now. Throws an OfferRefused.
 */
export function validityOf(
  { valid_after, valid_before }: Pick<PaymentOffer, 'valid_after' | 'valid_before'>,
  market: PaymentMarket,
  intent: Pick<PaymentIntent, 'nowSeconds'>,
) {
  const nowSeconds = secondsNow(intent)
  const [after, before] = [valid_after, valid_before].map((time) => Math.floor(Date.parse(time) / 1_000))
  const latest = nowSeconds + (market.windowSeconds ?? DEFAULT_WINDOW_SECONDS) + CLOCK_SKEW_SECONDS
  // False for NaN, the result of an invalid time.
  const isBounded =
    after !== undefined && before !== undefined && after < before && after <= nowSeconds + CLOCK_SKEW_SECONDS
  if (!isBounded || !(before <= latest))
    throw new OfferRefused('validity', `it is valid from ${valid_after} to ${valid_before}`)
  return { validAfter: BigInt(after), validBefore: BigInt(before) }
}

interface Agreed {
  from: Address
  order: Hex
  value: bigint
  validBefore: bigint
  market: PaymentMarket
  intent: PaymentIntent
}

/** Returns the terms of a hold, if they match the offer and the agreement. Throws an OfferRefused. */
function termsOf({ terms }: PaymentOffer, { from, order, value, validBefore, market, intent }: Agreed): Terms {
  const refuse = (fault: OfferFault, detail: string): never => {
    throw new OfferRefused(fault, detail)
  }
  if (!terms) return refuse('terms', 'it does not say what the hold is for')
  if (terms.order !== order || parseAmount(terms.amount) !== value || terms.fund_by !== Number(validBefore))
    refuse('terms', 'they are of another order, amount or time than the offer')
  const { escrow, token, feeRecipient, maxFeeBps = DEFAULT_FEE_BPS, holdSeconds = DEFAULT_HOLD_SECONDS } = market
  const isNobody = [zeroAddress, escrow, token, feeRecipient, from].some((account) => isSame(terms.payee, account))
  const isOther = intent.payee !== undefined && !isSame(terms.payee, intent.payee)
  if (!isAddress(terms.payee) || isNobody || isOther) return refuse('payee', `it pays ${terms.payee}`)
  requireKnownPayee(intent.seller, terms.payee, intent)
  if (!isSame(terms.fee_recipient, feeRecipient)) refuse('fee', `it goes to ${terms.fee_recipient}`)
  if (!Number.isInteger(terms.fee_bps) || terms.fee_bps < 0 || terms.fee_bps > maxFeeBps)
    refuse('fee', `it is ${terms.fee_bps} hundredths of a percent, and at most ${maxFeeBps} was agreed on`)
  if (!Number.isInteger(terms.expiry)) refuse('expiry', 'it is no time')
  if (!(terms.expiry > terms.fund_by && terms.expiry <= secondsNow(intent) + holdSeconds + CLOCK_SKEW_SECONDS))
    refuse('expiry', `the payer could take it back at ${terms.expiry} only`)
  return {
    order,
    payee: getAddress(terms.payee),
    amount: value,
    feeRecipient: getAddress(feeRecipient),
    feeBps: terms.fee_bps,
    fundBy: terms.fund_by,
    expiry: terms.expiry,
  }
}

function secondsNow({ nowSeconds }: Pick<PaymentIntent, 'nowSeconds'>): number {
  return nowSeconds ?? Math.floor(Date.now() / 1_000)
}

function isSame(told: string, known: Address): boolean {
  return isHex(told) && isAddress(told, { strict: false }) && isAddressEqual(told, known)
}
