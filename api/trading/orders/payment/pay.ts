import { sql } from 'kysely'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { TokenDomain } from '../../../../protocol/payments/authorization.ts'
import type { AgentCall } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import { tokenDomain } from '../../../payments/chain/nodes.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import type { Input } from '../../../platform/http/serve/receive.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import { placeOrder as place } from '../placement/place.ts'
import { type Placement, requestHash } from '../placement/request.ts'
import { readSubject } from '../placement/subject.ts'
import type { OrderRow } from '../record/find.ts'
import { orderProblems } from '../record/problems.ts'
import { toPaymentRequirements } from '../record/wire.ts'
import {
  isForStockClients,
  PAYMENT_REQUIRED,
  PAYMENT_RESPONSE,
  PAYMENT_SIGNATURE,
  paymentRequiredHeader,
  paymentResponseHeader,
} from '../record/x402.ts'
import type { fundOrder, placeOrder } from '../routes.ts'
import { fundOrder as fund } from './internal/fund.ts'
import { type PresentedPayment, presentNative, presentX402 } from './present.ts'

const EQUAL_FOR_SECONDS = 600

/**
 * The external inputs of a placement: the token's signing domain, and the payment, if the call is a paid
 * retry.
 */
export interface PreparedPlacement {
  domain: TokenDomain
  payment: PresentedPayment | undefined
  /** Whether the caller can only mean this payment: it has a key, or says `again`. */
  isMeant: boolean
}

/** Reads the payment header of a placement, and queries the chain about it. */
export async function preparePlacement(
  services: Services,
  _call: AgentCall,
  input: Input<typeof placeOrder>,
): Promise<PreparedPlacement> {
  const header = input.raw.header(PAYMENT_SIGNATURE)
  return {
    domain: await tokenDomain(services.rpc, services.settings.chain),
    payment: header === undefined ? undefined : await presentX402(services, header),
    isMeant: input.body.again === true || input.raw.header('Idempotency-Key') !== undefined,
  }
}

/**
 * Returns the payment that a placement requires (402), or takes the payment if this is the paid retry (202).
 */
export async function placeOrPay(
  tx: Tx,
  call: AgentCall,
  input: Input<typeof placeOrder>,
  prepared: PreparedPlacement,
) {
  const { escrow_mode: mode, receipt_privacy: receiptPrivacy, sealed } = input.body
  const placement = { subject: readSubject(input.body), mode, receiptPrivacy, sealed }
  if (prepared.payment) {
    if (!prepared.isMeant) await refuseSecondPayment(tx, call, placement, prepared.payment.orderId)
    return takeRetry(tx, call, placement, prepared.payment)
  }
  const order = await place(tx, call, placement)
  const isOffered = isForStockClients(call.settings.rules, order)
  return {
    status: 402 as const,
    body: toPaymentRequirements(call.settings.chain, order),
    headers: isOffered ? { [PAYMENT_REQUIRED]: paymentRequiredHeader(call.settings, order, prepared.domain) } : {},
  }
}

/**
 * Reads the payment of a fund call from its body or its PAYMENT-SIGNATURE header. Throws 400 if both are
 * missing.
 */
export async function prepareFunding(
  services: Services,
  _call: AgentCall,
  input: Input<typeof fundOrder>,
): Promise<PresentedPayment> {
  const header = input.raw.header(PAYMENT_SIGNATURE)
  const encoded = input.body.signed_authorization
  if (encoded !== undefined) return presentNative(services, input.params.urn, encoded)
  if (header !== undefined) return presentX402(services, header)
  throw new Problem(httpProblems.invalid, {
    detail: 'Send signed_authorization, or the header PAYMENT-SIGNATURE.',
    field: 'signed_authorization',
  })
}

/** Takes the payment of an order (202). Throws 422 if it was made for another order. */
export async function takePayment(tx: Tx, call: AgentCall, input: Input<typeof fundOrder>, payment: PresentedPayment) {
  if (payment.orderId !== input.params.urn) {
    throw new Problem(orderProblems.authorizationMismatch, {
      detail: 'This payment answers the offer of another order.',
      field: `${PAYMENT_SIGNATURE}.accepted.extra.orderUrn`,
    })
  }
  return taken(call, await fund(tx, call, payment), payment)
}

// A stock x402 client pays by repeating the request that returned the offer; that must never place a second
// order.
async function takeRetry(tx: Tx, call: AgentCall, placement: Placement, payment: PresentedPayment) {
  const order = await tx
    .selectFrom('market.orders')
    .select(['buyer_id', 'request_hash'])
    .where('id', '=', payment.orderId)
    .executeTakeFirst()
  if (order?.buyer_id !== call.actor.agentId) throw notFound('order')
  if (!order.request_hash.equals(requestHash(placement))) {
    throw new Problem(orderProblems.authorizationMismatch, {
      detail: 'The order of this payment was placed by another request: repeat that one, or pay at the fund call.',
      field: `${PAYMENT_SIGNATURE}.accepted.extra.orderUrn`,
    })
  }
  return taken(call, await fund(tx, call, payment), payment)
}

function taken({ settings }: AgentCall, order: OrderRow, { lane, authorization }: PresentedPayment) {
  const headers = { [PAYMENT_RESPONSE]: paymentResponseHeader(settings.chain, authorization.from) }
  return {
    status: 202 as const,
    body: { order_urn: urn('order', order.id), state: order.state },
    headers: lane === 'x402' ? headers : {},
  }
}

/**
 * Throws 409 with the order that this agent paid in the last ten minutes by an equal placement, unless that
 * payment failed: the answer to it was lost, and a client without a key placed and signed once more. Two such
 * payments at once wait for each other.
 */
async function refuseSecondPayment(
  tx: Tx,
  { actor, settings }: AgentCall,
  placement: Placement,
  orderId: string,
): Promise<void> {
  const hash = requestHash(placement)
  const name = `equal payments ${actor.agentId} ${hash.toString('hex')}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  // An order was placed, or updated, at most a payment window before its payment.
  const { rows } = await sql<{ id: string }>`
    select equal.id from market.orders equal join market.authorizations payment on payment.order_id = equal.id
    where equal.buyer_id = ${actor.agentId} and equal.request_hash = ${hash} and equal.id <> ${orderId}
      and equal.updated_at > market.now() - make_interval(secs => ${EQUAL_FOR_SECONDS + settings.rules.paymentWindowSeconds})
      and payment.state <> 'failed' and payment.created_at > market.now() - make_interval(secs => ${EQUAL_FOR_SECONDS})
    order by payment.created_at desc limit 1`.execute(tx)
  const [equal] = rows
  if (!equal) return
  throw new Problem(orderProblems.equalOrderPaid, {
    detail: `You paid for an equal order, ${urnString('order', equal.id)}, in the last ten minutes. Read it before you pay again; to pay for another one, repeat the call with "again": true, or send an Idempotency-Key.`,
    orderId: equal.id,
  })
}
