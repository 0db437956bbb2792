import { getAddress } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { SignedAuthorization } from '../../../../protocol/payments/authorization.ts'
import { namesPurpose } from '../../../../protocol/payments/nonces.ts'
import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { unixSeconds } from '../../../payments/escrow/terms.ts'
import type { OrderRow } from '../record/find.ts'
import { isForStockClients } from '../record/x402.ts'
import { memberField, type PresentedPayment } from './presented.ts'

// With less time left, a transaction could not be mined before the token refuses it.
const MIN_VALIDITY_SECONDS = 10

/** What a payment is checked against: the offer of an order, or of an appeal's fee. */
export type PaidOffer = Pick<
  OrderRow,
  'recipient' | 'price_micros' | 'nonce' | 'payee' | 'fee_recipient' | 'escrow_mode' | 'valid_before'
>

/**
 * Throws authorization/mismatch, naming the member, unless the authorization pays exactly what this offer requires.
 */
export function requireForOffer(rules: MarketRules, order: PaidOffer, { lane, authorization }: PresentedPayment): void {
  const { from, to, value, nonce } = authorization
  if (getAddress(to) !== getAddress(order.recipient)) {
    throw mismatch(lane, 'to', `The recipient must be ${getAddress(order.recipient)}, not ${to}.`)
  }
  if (value !== order.price_micros) {
    const expected = `${order.price_micros} (${formatAmount(order.price_micros)})`
    throw mismatch(lane, 'value', `The value must be exactly ${expected}, not ${value}.`)
  }
  const isDrawnByClient = lane === 'x402' && isForStockClients(rules, order) && !namesPurpose(nonce)
  if (!isDrawnByClient && nonce !== order.nonce) {
    throw mismatch(
      lane,
      'nonce',
      `The nonce must be the offer's ${order.nonce}: it ties the payment to what it is for.`,
    )
  }
  const others = [order.payee, order.fee_recipient, order.recipient].filter((address) => address !== null)
  if (others.some((address) => getAddress(address) === getAddress(from))) {
    throw mismatch(lane, 'from', 'The payer cannot be an account that is paid by it.')
  }
}

/** Throws unless the authorization is valid now, for long enough to be mined, and not past the offer's end. */
export function requireValidNow(order: PaidOffer, { lane, authorization }: PresentedPayment, now: Date): void {
  const nowSeconds = BigInt(unixSeconds(now))
  const endSeconds = BigInt(unixSeconds(order.valid_before))
  if (authorization.validBefore > endSeconds) {
    throw mismatch(lane, 'validBefore', `The validity must end with the offer's, at ${endSeconds}, or before.`)
  }
  if (authorization.validAfter > nowSeconds) {
    throw new Problem('authorization/expired', {
      detail: `It becomes valid at ${authorization.validAfter}, and now is ${nowSeconds}.`,
      field: memberField(lane, 'validAfter'),
    })
  }
  if (authorization.validBefore < nowSeconds + BigInt(MIN_VALIDITY_SECONDS)) {
    throw new Problem('authorization/expired', {
      detail: `It ends at ${authorization.validBefore}; now is ${nowSeconds}, and ${MIN_VALIDITY_SECONDS} seconds must be left.`,
      field: memberField(lane, 'validBefore'),
    })
  }
}

/** Throws authorization/signature-invalid unless the token would accept the signature as the payer's. */
export function requireSigned({ lane, authorization, isSigned }: PresentedPayment): void {
  if (isSigned) return
  throw new Problem('authorization/signature-invalid', {
    detail: `${authorization.from} did not sign this for the token and chain of the offer, or a member was changed since.`,
    field: memberField(lane, 'signature'),
  })
}

function mismatch(lane: PresentedPayment['lane'], member: keyof SignedAuthorization, detail: string): Problem {
  return new Problem('authorization/mismatch', { detail, field: memberField(lane, member) })
}
