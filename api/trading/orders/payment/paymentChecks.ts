import { sql } from 'kysely'
import { type Address, getAddress } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { SignedAuthorization } from '../../../../protocol/payments/authorization.ts'
import { namesPurpose } from '../../../../protocol/payments/nonces.ts'
import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { unixSeconds } from '../../../payments/escrow/terms.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from '../record/find.ts'
import { orderProblems } from '../record/problems.ts'
import { isForStockClients } from '../record/x402.ts'
import { memberField, type PresentedPayment } from './present.ts'

/** The paying wallet, the buyer it pays for, and the request field that names it. */
export interface StatedPayer {
  buyerId: string
  from: Address
  field: string
  /** True if the wallet must be verified even for a buyer who has verified none. */
  mustBeVerified: boolean
}

/**
 * Throws unless this wallet may pay for the buyer: the buyer or its owner has verified it, or, if they have
 * verified none, it belongs to no account. A wallet of another owner is a 409.
 */
export async function requirePayer(tx: Tx, payer: StatedPayer): Promise<void> {
  const standing = await readStanding(tx, payer)
  if (standing.is_strangers) throw payerConflict(payer.field)
  if (standing.is_verified) return
  if (!standing.has_wallets && !standing.is_owned && !payer.mustBeVerified) return
  throw new Problem(orderProblems.payerWalletRequired, {
    detail:
      `${payer.from} is not a verified wallet of the buyer or its owner. ` +
      'Verify it with POST /v1/me/wallets, or pay from one that is.',
    field: payer.field,
  })
}

interface Standing {
  has_wallets: boolean
  is_verified: boolean
  is_owned: boolean
  is_strangers: boolean
}

async function readStanding(tx: Tx, { buyerId, from }: StatedPayer): Promise<Standing> {
  const address = from.toLowerCase()
  const { rows } = await sql<Standing>`
    select count(wallet.id) > 0 as has_wallets,
      coalesce(bool_or(wallet.address = ${address}), false) as is_verified,
      owned.owner_id is not null as is_owned,
      coalesce(owned.owner_id <> agent.owner_id, false) as is_strangers
    from market.agents agent
    left join market.wallet_owners owned on owned.address = ${address}
    left join market.wallets wallet on wallet.account_id in (agent.id, agent.owner_id)
    where agent.id = ${buyerId}
    group by agent.owner_id, owned.owner_id`.execute(tx)
  const [standing] = rows
  if (!standing) throw new Error(`agent ${buyerId} has an order and no row`)
  return standing
}

/** The 409 for a wallet or a payment of another account. */
export function payerConflict(field: string): Problem {
  return new Problem(orderProblems.payerConflict, {
    detail: 'This wallet or this payment belongs to another account or order.',
    field,
  })
}

// With less time left, a transaction could not be mined before the token refuses it.
const MIN_VALIDITY_SECONDS = 10

/** The offer that a payment is checked against: of an order, or of an appeal's fee. */
export type PaidOffer = Pick<
  OrderRow,
  'recipient' | 'price_micros' | 'nonce' | 'payee' | 'fee_recipient' | 'escrow_mode' | 'valid_before'
>

/**
 * Throws authorization/mismatch, naming the member, unless the authorization pays exactly what this offer
 * requires.
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

/**
 * Throws unless the authorization is valid now, for long enough to be mined, and not past the offer's end.
 */
export function requireValidNow(order: PaidOffer, { lane, authorization }: PresentedPayment, now: Date): void {
  const nowSeconds = BigInt(unixSeconds(now))
  const endSeconds = BigInt(unixSeconds(order.valid_before))
  if (authorization.validBefore > endSeconds) {
    throw mismatch(lane, 'validBefore', `The validity must end with the offer's, at ${endSeconds}, or before.`)
  }
  if (authorization.validAfter > nowSeconds) {
    throw new Problem(orderProblems.authorizationExpired, {
      detail: `It becomes valid at ${authorization.validAfter}, and now is ${nowSeconds}.`,
      field: memberField(lane, 'validAfter'),
    })
  }
  if (authorization.validBefore < nowSeconds + BigInt(MIN_VALIDITY_SECONDS)) {
    throw new Problem(orderProblems.authorizationExpired, {
      detail: `It ends at ${authorization.validBefore}; now is ${nowSeconds}, and ${MIN_VALIDITY_SECONDS} seconds must be left.`,
      field: memberField(lane, 'validBefore'),
    })
  }
}

/** Throws authorization/signature-invalid unless the token would accept the signature as the payer's. */
export function requireSigned({ lane, authorization, isSigned }: PresentedPayment): void {
  if (isSigned) return
  throw new Problem(orderProblems.authorizationSignatureInvalid, {
    detail: `${authorization.from} did not sign this for the token and chain of the offer, or a member was changed since.`,
    field: memberField(lane, 'signature'),
  })
}

function mismatch(lane: PresentedPayment['lane'], member: keyof SignedAuthorization, detail: string): Problem {
  return new Problem(orderProblems.authorizationMismatch, { detail, field: memberField(lane, member) })
}
