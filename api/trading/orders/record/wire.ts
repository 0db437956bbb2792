import type { z } from '@hono/zod-openapi'
import type { Selectable } from 'kysely'
import { getAddress, type Hex, zeroAddress } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import type { Terms } from '../../../../protocol/payments/terms.ts'
import { criteriaSha256 } from '../../../../protocol/records/baseline.ts'
import type { ChainSettings } from '../../../context.ts'
import type { FundingRow } from '../../../payments/escrow/queries.ts'
import { holdTerms } from '../../../payments/escrow/terms.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import { present } from '../../../platform/http/route/schemas.ts'
import type { OrderMeasure } from '../../criteria/read.ts'
import { toMeasure } from '../../criteria/schema.ts'
import type { BuyerRecord } from '../../reputation/buyers.ts'
import type { Amendment } from './baseline.ts'
import type { OrderRow } from './find.ts'
import { toFunding } from './fundingWire.ts'
import type { OrderAction } from './guards.ts'
import { nextDeadline, type OrderLabels } from './labels.ts'
import type { orderRecord, paymentRequirements } from './schemas.ts'
import { networkName } from './x402.ts'

/** The columns of a hold that the parties of its order see. */
export type HoldRow = Pick<
  Selectable<Database['market.holds']>,
  'status' | 'amount_micros' | 'payer' | 'deposit_nonce' | 'deposit_tx' | 'release_tx' | 'settled_at'
> & {
  /** The wallet that the seller is paid to now. */
  paid_to: string | null
}

/** Returns the PaymentRequirements of an order (spec 2.6), as fixed when it was placed. */
export function toPaymentRequirements(chain: ChainSettings, order: OrderRow): z.input<typeof paymentRequirements> {
  return {
    order_urn: urn('order', order.id),
    token: chain.token,
    network: networkName(chain),
    amount: formatAmount(order.price_micros),
    recipient: getAddress(order.recipient),
    nonce: order.nonce as Hex,
    valid_after: order.valid_after.toISOString(),
    valid_before: order.valid_before.toISOString(),
    escrow_mode: order.escrow_mode,
    ...(order.escrow_mode === 'contract'
      ? { terms: toTerms(holdTerms(order)) }
      : { seller_urn: urn('agent', order.seller_id), seller_owner_urn: urn('human', order.seller_owner_id) }),
  }
}

function toTerms(terms: Terms) {
  return {
    order: terms.order,
    payee: terms.payee,
    amount: formatAmount(terms.amount),
    fee_recipient: terms.feeRecipient,
    fee_bps: terms.feeBps,
    fund_by: terms.fundBy,
    expiry: terms.expiry,
  }
}

/** Returns an order, with its hold if it has one, as its parties read it. */
export function toOrder(
  chain: ChainSettings,
  order: OrderRow,
  {
    hold,
    funding,
    amendments,
    measure,
    labels,
    may,
    buyerRecord,
  }: {
    hold: HoldRow | undefined
    funding: FundingRow | undefined
    amendments: readonly Amendment[]
    measure: OrderMeasure | undefined
    labels: OrderLabels | undefined
    may: readonly OrderAction[]
    /** Only for its seller. */
    buyerRecord: BuyerRecord | undefined
  },
): z.input<typeof orderRecord> {
  return {
    urn: urn('order', order.id),
    state: order.state,
    may: [...may],
    ask_urn: order.ask_id === null ? null : urn('ask', order.ask_id),
    ask_version: order.ask_version,
    bid_urn: order.bid_id === null ? null : urn('bid', order.bid_id),
    quote_urn: order.quote_id === null ? null : urn('quote', order.quote_id),
    buyer_urn: urn('agent', order.buyer_id),
    seller_urn: urn('agent', order.seller_id),
    ...(labels ? toLabels(order, labels) : {}),
    ...(buyerRecord ? { buyer_record: buyerRecord } : {}),
    price: formatAmount(order.price_micros),
    escrow_mode: order.escrow_mode,
    thread_urn: order.thread_id === null ? null : urn('thread', order.thread_id),
    receipt_urn: order.receipt_id === null ? null : urn('receipt', order.receipt_id),
    ...(order.dispute_id === null ? {} : { dispute_urn: urn('dispute', order.dispute_id) }),
    receipt_privacy: order.receipt_privacy,
    sealed: order.sealed,
    payment_requirements: order.state === 'placed' ? toPaymentRequirements(chain, order) : null,
    hold: hold ? toHold(order, hold) : null,
    ...(funding && !hold ? { funding: toFunding(funding, order.state === 'placed') } : {}),
    amendments: amendments.map(({ message_id, sha256, accepted_at }) => ({
      message_urn: urn('message', message_id),
      sha256,
      accepted_at: accepted_at.toISOString(),
    })),
    ...(measure ? { ...toMeasure(measure), criteria_sha256: criteriaSha256(measure) } : {}),
    deliveries: order.deliveries,
    delivery_has_bytes: order.delivery_has_bytes,
    reason: order.reason,
    placed_at: order.placed_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    funded_at: isoTime(order.funded_at),
    sla_due_at: isoTime(order.sla_due_at),
    delivered_at: isoTime(order.delivered_at),
    accept_by: isoTime(order.accept_by),
    redeliver_by: isoTime(order.redeliver_by),
    closed_at: isoTime(order.closed_at),
    suspended_at: isoTime(order.suspended_at),
  }
}

function toLabels(order: OrderRow, labels: OrderLabels) {
  return {
    title: labels.title,
    buyer_name: labels.buyerName,
    seller_name: labels.sellerName,
    next_deadline: nextDeadline(order, labels),
  }
}

function toHold({ recipient, payee, fee_bps }: OrderRow, hold: HoldRow) {
  return {
    status: hold.status,
    amount: formatAmount(hold.amount_micros),
    payer: getAddress(hold.payer),
    deposit_tx: hold.deposit_tx as Hex,
    nonce: hold.deposit_nonce as Hex,
    payee: payee === null ? null : getAddress(payee),
    ...(hold.status === 'held' ? { paid_to: getAddress(hold.paid_to ?? zeroAddress) } : {}),
    holder: getAddress(recipient),
    fee_bps,
    ...present({ release_tx: hold.release_tx as Hex | null, settled_at: isoTime(hold.settled_at) }),
  }
}

function isoTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
